// What a call was given and what it brought about: each variable as it was at the start and at the end, red where it changed, yellow
// where something inside of it did.
import type { JudgeQuestionJson, ValueJson } from '../../api/types';
import { momentOf } from '../../api/types';
import { go } from '../../state/address';
import { showHistory } from '../../state/history';
import { openMenuAt } from '../../widgets/menu';
import { Value } from '../../widgets/Value';
import { counted, placeOf } from '../../widgets/words';
import { valueItems } from '../values/items';

interface Row {
  name: string;
  kind: 'argument' | 'variable' | 'inside';
  entry?: ValueJson | null;
  exit?: ValueJson | null;
  mark: 'changed' | 'inside' | '';
}

export function CallEffects({ question }: { question: JudgeQuestionJson }) {
  const { call, outcome } = question;
  const end = momentOf(call.end ?? call.point);
  const ask = (row: Row, element: Element): void => {
    const items = valueItems(row.name, 0).filter((item) => item.text !== 'History');
    const history = { text: 'History', hint: 'h', act: () => showHistory(row.name, end) };
    go(end);
    openMenuAt(element, row.name, [history, ...items]);
  };
  return (
    <div class="effects" tabIndex={0} role="group" aria-label="what the call did">
      <p class="effects-call">
        <button class="link-button" onClick={() => go(momentOf(call.point))}>
          {call.function ?? 'top level'}
        </button>
        <span class="dim">
          {placeOf(call)} · {counted(question.children, 'call')} inside
        </span>
        <span class="arrow"> → </span>
        {outcome.kind === 'threw' ? <span class="bad">threw </span> : null}
        {outcome.value ? <Value value={outcome.value} cut={120} /> : <span class="dim">{outcome.kind}</span>}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">name</th>
            <th scope="col">at the start</th>
            <th scope="col">at the end</th>
          </tr>
        </thead>
        <tbody>
          {rowsOf(question).map((row) => (
            <tr
              key={`${row.kind} ${row.name}`}
              class={row.mark}
              onContextMenu={(event) => {
                event.preventDefault();
                ask(row, event.currentTarget);
              }}
            >
              <th scope="row">
                <button class="link-button" title={`ask about ${row.name}`} onClick={(event) => ask(row, event.currentTarget)}>
                  {row.name}
                </button>
              </th>
              <td>{row.entry ? <Value value={row.entry} cut={80} /> : <span class="dim">–</span>}</td>
              <td>{row.exit ? <Value value={row.exit} cut={80} /> : <span class="dim">–</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {question.output.length ? <pre class="effects-output">{question.output.join('')}</pre> : null}
      {question.unknown.length ? <p class="dim">not known: {question.unknown.join('; ')}</p> : null}
      {(question.claims ?? []).map((claim) => (
        <p key={claim} class="dim">
          {claim}
        </p>
      ))}
    </div>
  );
}

function rowsOf(question: JudgeQuestionJson): Row[] {
  const changed = new Set(question.changes.map((change) => change.object));
  const hasInside = (value: ValueJson | null | undefined): boolean => value?.object !== undefined && changed.has(value.object);
  const rows: Row[] = [];
  const add = (row: Omit<Row, 'mark'>): void => {
    const isOther = row.entry?.text !== row.exit?.text && row.entry?.object === undefined;
    const isOtherObject = row.entry?.object !== row.exit?.object;
    rows.push({ ...row, mark: row.kind === 'inside' || isOther || isOtherObject ? 'changed' : hasInside(row.exit) ? 'inside' : '' });
  };
  if (question.this) add({ name: 'this', kind: 'argument', entry: question.this, exit: question.this });
  for (const { name, entry, exit } of question.arguments) add({ name, kind: 'argument', entry, exit });
  const known = new Set(rows.map((row) => row.name));
  for (const { name, entry, exit } of question.variables) if (!known.has(name)) add({ name, kind: 'variable', entry, exit });
  for (const change of question.changes) add({ name: change.place, kind: 'inside', entry: change.old, exit: change.new });
  return rows;
}
