// The judge beside the call tree: what a call was given, what it did, and whether that is right.
import { type Strategy, about, begin, dialogue, isJudging, judge, lookAt, strategy, undo } from '../../state/judge';
import { grouped } from '../../widgets/words';
import { CallEffects } from './CallEffects';
import { CallTree } from './Calls';

export function Judge() {
  return (
    <div class="halves">
      <CallTree onChoose={(call) => void (dialogue.value && lookAt(call.point.event))} />
      <Dialogue />
    </div>
  );
}

function Dialogue() {
  const judged = dialogue.value;
  if (!judged) {
    return (
      <div class="dialogue">
        <p>
          Say of a few calls whether they did what they should. The judge chooses which, and names the one that is wrong.
        </p>
        <button class="primary" disabled={isJudging.value} onClick={() => void begin()}>
          {isJudging.value ? 'reading the calls …' : 'Begin'}
        </button>
      </div>
    );
  }
  const shown = about.value ?? judged.question;
  return (
    <div class="dialogue">
      <div class="list-head">
        <Words />
        <span class="spring" />
        <StrategyChoice />
        <button class="quiet" onClick={() => void undo()} disabled={judged.asked === 0}>
          take back
        </button>
        <button class="quiet" onClick={() => void begin(undefined, true)} title="forget all verdicts">
          again
        </button>
      </div>
      {shown ? <CallEffects question={shown} /> : null}
      {shown ? <Buttons /> : null}
      {judged.conflicts.map((conflict) => (
        <p class="bad" key={conflict.older}>
          {conflict.older}, but {conflict.newer}: the newer verdict stands
        </p>
      ))}
    </div>
  );
}

function Words() {
  const judged = dialogue.value;
  if (!judged) return null;
  const found = judged.found;
  if (about.value) return <b>Is this call right?</b>;
  if (judged.kind === 'found') {
    return (
      <b class="bad" role="status">
        The defect is in {found?.function ?? 'the top level'} ({found?.file}
        {found?.line ? `:${found.line}` : ''}): all that it received and called was right
      </b>
    );
  }
  if (judged.kind === 'ask') {
    return (
      <>
        <b>Did this call do what it should?</b>
        <span class="dim">
          {grouped(judged.suspicious)} of {grouped(judged.calls)} calls are suspicious
        </span>
      </>
    );
  }
  return <b>{judged.kind === 'unsure' ? `one of ${judged.candidates.length} calls is wrong, and nothing tells which` : 'nothing is suspicious any more'}</b>;
}

function Buttons() {
  return (
    <div class="verdicts" role="group" aria-label="verdict">
      <button class="good-button" onClick={() => void judge('valid')}>
        right
      </button>
      <button class="bad-button" onClick={() => void judge('invalid')}>
        wrong
      </button>
      <button onClick={() => void judge('unknown')}>don't know</button>
      <button onClick={() => void judge('trusted')} title="all calls of this function are right">
        trust the function
      </button>
      <button onClick={() => void judge('trusted-file')}>trust the file</button>
    </div>
  );
}

const STRATEGIES: [Strategy, string][] = [
  ['slice', 'by what the wrong value came from'],
  ['top-down', 'from the top down'],
  ['divide', 'halving'],
  ['edges', 'halving, by control flow'],
  ['def-use', 'halving, by definitions and uses'],
];

function StrategyChoice() {
  return (
    <select aria-label="order of questions" value={strategy.value} onChange={(event) => void begin(event.currentTarget.value as Strategy)}>
      {STRATEGIES.map(([name, words]) => (
        <option key={name} value={name}>
          {words}
        </option>
      ))}
    </select>
  );
}
