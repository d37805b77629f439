// This run and another one: the explanation of the failure that rests on the comparison, and what the variables hold in both.
import { useEffect, useState } from 'preact/hooks';
import { send } from '../../api/client';
import type { HopJson, NamedJson, RunJson, StateJson, ValueJson, WhyJson } from '../../api/types';
import { momentOf } from '../../api/types';
import { address, go } from '../../state/address';
import { here, variables } from '../../state/moment';
import { growth, run as shown } from '../../state/run';
import { complain } from '../../state/said';
import { Notes } from '../../widgets/Notes';
import { VirtualList } from '../../widgets/VirtualList';
import { placeOf } from '../../widgets/words';
import { type Part, comparable, differing } from './differing';
import { useAnswer } from './useAnswer';

const WORDS: Record<string, string> = {
  'not-reached': 'not reached there',
  'other-way': 'went another way there',
  'other-value': 'another value there',
};

export function Compare() {
  const { compare } = address.value;
  return (
    <div class="compare">
      <div class="list-head">
        <Choice />
      </div>
      {compare ? (
        <div class="compared">
          <Differences run={compare} />
          <Both run={compare} />
        </div>
      ) : (
        <div class="empty">Choose a run, best one that passed: this shows what was different in it.</div>
      )}
    </div>
  );
}

/** The run that this one is compared with. */
function Choice() {
  const [runs, setRuns] = useState<RunJson[]>([]);
  useEffect(() => {
    send<RunJson[]>('GET', '/api/runs').then(setRuns).catch(complain);
  }, [growth.value, address.value.run]);
  const others = runs.filter((one) => one.number !== null && one.number !== shown.value?.number && !one.problem);
  const { compare } = address.value;
  const isKnown = others.some((one) => String(one.number) === compare);
  return (
    <label>
      compare run {shown.value?.number ?? ''} with{' '}
      <select value={compare ?? ''} onChange={(event) => go({ compare: event.currentTarget.value || undefined })}>
        <option value="">{others.length > 0 ? 'no run' : 'no run: this project has only one'}</option>
        {compare && !isKnown ? <option value={compare}>run {compare}</option> : null}
        {others.map((one) => (
          <option key={one.number} value={String(one.number)}>
            run {one.number}: {one.command.join(' ')} ({one.outcome})
          </option>
        ))}
      </select>
    </label>
  );
}

/** The same explanation as that of `why --against`, with what differs marked. */
function Differences({ run }: { run: string }) {
  const { answer, notes, problem, isBusy } = useAnswer<WhyJson>({ kind: 'why', against: run });
  const hops = answer?.chain ?? [];
  const [active, setActive] = useState(0);
  return (
    <div class="list">
      <div class="list-head">
        <span class="column-text" title={answer?.summary}>
          {answer?.summary ?? (isBusy ? 'looking …' : `why it failed, against run ${run}`)}
        </span>
        <Notes of={notes} />
        {problem ? <span class="bad">{problem}</span> : null}
      </div>
      <VirtualList
        label="differences"
        count={hops.length}
        rowHeight={24}
        active={Math.min(active, Math.max(0, hops.length - 1))}
        onActive={setActive}
        onChoose={(row) => hops[row] && go(momentOf(hops[row].point))}
        rowProps={(row) => ({ class: hops[row]?.difference ? 'differs' : '' })}
        empty={isBusy ? 'looking …' : 'nothing explains the failure'}
      >
        {(row) => <Hop hop={hops[row]!} />}
      </VirtualList>
    </div>
  );
}

function Hop({ hop }: { hop: HopJson }) {
  return (
    <>
      <span class="column-place dim">{placeOf(hop.point)}</span>
      {hop.difference ? <span class="badge difference">{WORDS[hop.difference] ?? hop.difference}</span> : null}
      <span class="column-text" title={hop.text}>
        {hop.text}
      </span>
    </>
  );
}

interface Compared {
  name: string;
  ours?: ValueJson;
  theirs?: ValueJson;
}

/** The variables of the chosen frame, here and at the same time of the same line there. What differs comes first. */
function Both({ run }: { run: string }) {
  const point = here.value;
  const at = point?.file && point.line ? `${point.file}:${point.line}${point.hit ? `#${point.hit}` : ''}` : undefined;
  const { answer, problem, isBusy } = useAnswer<StateJson>(at ? { kind: 'state', at } : undefined, run);
  const rows = answer ? compared(answer.frames?.[0]?.variables ?? []) : variables.value.map((one) => ({ name: one.name, ours: one.value }));
  const n_different = answer ? rows.filter(isDifferent).length : 0;
  return (
    <div class="dialogue effects" tabIndex={0} role="group" aria-label="variables in both runs">
      <p class="effects-call">
        <span>
          at {at ?? 'nowhere'}
          {answer ? `: ${n_different === 0 ? 'no variable differs' : n_different === 1 ? '1 variable differs' : `${n_different} variables differ`}` : isBusy ? ' …' : ''}
        </span>
        {problem ? (
          <span class="bad">
            run {run}: {problem}
          </span>
        ) : null}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">name</th>
            <th scope="col">run {shown.value?.number ?? 'shown'}</th>
            <th scope="col">run {run}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <Row key={one.name} of={one} isKnown={answer !== undefined} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ of, isKnown }: { of: Compared; isKnown: boolean }) {
  const isOther = isKnown && isDifferent(of);
  const [ours, theirs] = isOther && of.ours && of.theirs ? differing(of.ours.text, of.theirs.text) : [undefined, undefined];
  return (
    <tr class={isOther ? 'changed' : ''}>
      <th scope="row">
        <code>{of.name}</code>
      </th>
      <td>
        <Shown value={of.ours} parts={ours} />
      </td>
      <td>{isKnown ? <Shown value={of.theirs} parts={theirs} /> : null}</td>
    </tr>
  );
}

function Shown({ value, parts }: { value?: ValueJson; parts?: Part[] }) {
  if (!value) return <span class="dim">does not exist here</span>;
  const shown = parts ?? [{ text: value.text, differs: false }];
  return (
    <span class={`value value-${value.type}`} title={value.text.slice(0, 2000)}>
      {shown.map((part, index) => (part.differs ? <mark key={index}>{part.text}</mark> : part.text))}
    </span>
  );
}

function compared(others: NamedJson[]): Compared[] {
  const theirs = new Map(others.map((one) => [one.name, one.value]));
  const ours = variables.value.map((one) => ({ name: one.name, ours: one.value, theirs: theirs.get(one.name) }));
  const names = new Set(ours.map((one) => one.name));
  const rest = others.filter((one) => !names.has(one.name)).map((one) => ({ name: one.name, theirs: one.value }));
  return [...ours, ...rest].sort((one, other) => Number(isDifferent(other)) - Number(isDifferent(one)));
}

const isDifferent = (one: Compared): boolean => comparable(one.ours?.text ?? '') !== comparable(one.theirs?.text ?? '');
