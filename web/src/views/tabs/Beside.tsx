// Another run beside this one: the first differences that matter, and what the variables hold in both where they are at the same place.
import { useState } from 'preact/hooks';
import type { NamedJson, StateJson, ValueJson, WhyJson } from '../../api/types';
import { momentOf } from '../../api/types';
import { address, go } from '../../state/address';
import { here, variables } from '../../state/moment';
import { Notes } from '../../widgets/Notes';
import { Value } from '../../widgets/Value';
import { VirtualList } from '../../widgets/VirtualList';
import { placeOf } from '../../widgets/words';
import { useAnswer } from './useAnswer';

const WORDS: Record<string, string> = {
  'not-reached': 'not reached there',
  'other-way': 'went another way there',
  'other-value': 'another value there',
};

export function Beside() {
  const { beside } = address.value;
  if (!beside) return <div class="empty">Choose a run to compare with: the tab of runs has “beside” for each.</div>;
  return (
    <div class="beside">
      <Differences run={beside} />
      <Both run={beside} />
    </div>
  );
}

function Differences({ run }: { run: string }) {
  const { answer, notes, problem, isBusy } = useAnswer<WhyJson>({ kind: 'why', against: run });
  const hops = (answer?.chain ?? []).filter((hop) => hop.difference);
  const [active, setActive] = useState(0);
  return (
    <div class="list">
      <div class="list-head">
        <span>what is different in run {run}</span>
        <span class="dim">{isBusy ? 'looking …' : ''}</span>
        <Notes of={notes} />
        {problem ? <span class="bad">{problem}</span> : null}
        <span class="spring" />
        <button class="quiet" onClick={() => go({ beside: undefined })}>
          end the comparison
        </button>
      </div>
      <VirtualList
        label="differences"
        count={hops.length}
        rowHeight={24}
        active={Math.min(active, Math.max(0, hops.length - 1))}
        onActive={setActive}
        onChoose={(row) => hops[row] && go(momentOf(hops[row].point))}
        empty={isBusy ? 'looking …' : 'no difference that explains the failure was found'}
      >
        {(row) => {
          const hop = hops[row]!;
          return (
            <>
              <span class="column-place dim">{placeOf(hop.point)}</span>
              <span class="badge difference">{WORDS[hop.difference!] ?? hop.difference}</span>
              <span class="column-text">{hop.text}</span>
            </>
          );
        }}
      </VirtualList>
    </div>
  );
}

/** The variables of the chosen frame, here and at the same time of the same line there. */
function Both({ run }: { run: string }) {
  const point = here.value;
  const at = point?.file && point.line ? `${point.file}:${point.line}${point.hit ? `#${point.hit}` : ''}` : undefined;
  const { answer, problem } = useAnswer<StateJson>(at ? { kind: 'state', at } : undefined, run);
  const theirs = new Map((answer?.frames?.[0]?.variables ?? []).map((one) => [one.name, one]));
  const ours = variables.value;
  return (
    <div class="dialogue effects" tabIndex={0} role="group" aria-label="variables in both runs">
      <p class="effects-call">
        <span>at {at ?? 'nowhere'}</span>
        {problem ? <span class="bad">run {run}: {problem}</span> : null}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">name</th>
            <th scope="col">this run</th>
            <th scope="col">run {run}</th>
          </tr>
        </thead>
        <tbody>
          {ours.map((one) => (
            <tr key={one.name} class={isOther(one, theirs.get(one.name)) ? 'changed' : ''}>
              <th scope="row">
                <code>{one.name}</code>
              </th>
              <td>
                <Value value={one.value} cut={80} />
              </td>
              <td>{theirs.get(one.name) ? <Value value={theirs.get(one.name)!.value} cut={80} /> : <span class="dim">–</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Numbers of objects are those of a run. */
function isOther(one: { value: ValueJson }, other: NamedJson | undefined): boolean {
  const text = (named: { value: ValueJson }): string => named.value.text.replaceAll(/#\d+/g, '#');
  return other !== undefined && text(one) !== text(other);
}
