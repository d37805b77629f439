// A program that is run again: how far it is, and a button that stops it.
import { type Job, cancel } from '../state/job';
import { shortNumber, shortSize } from '../widgets/words';

export function Progress({ of: { words, state } }: { of: Job }) {
  const { running, events, bytes, output } = state;
  const needs = running?.needs.length ? running.needs.join('; ') : running ? 'everything' : undefined;
  return (
    <>
      <span class="spinner" aria-hidden="true" />
      <span role="status" class="progress-words">
        {words}
        {running && running.number > 1 ? ` (time ${running.number})` : ''}: {shortNumber(events)} events, {shortSize(bytes)}
      </span>
      {needs ? (
        <span class="dim progress-needs" title={needs}>
          recorded is {needs}
        </span>
      ) : null}
      <code class="dim column-text">{output.trimEnd().split('\n').at(-1)}</code>
      <button onClick={cancel}>Stop</button>
    </>
  );
}
