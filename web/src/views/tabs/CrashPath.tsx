// What control did from the birth of an object to the crash, walked with previous and next.
import { useState } from 'preact/hooks';
import type { CrashPathJson, Moment, NumberedFailureJson, PathLabelJson } from '../../api/types';
import { momentOf } from '../../api/types';
import { address, go } from '../../state/address';
import { whyFailure } from '../../state/asking';
import { moment } from '../../state/moment';
import { failure } from '../../state/run';
import { VirtualList } from '../../widgets/VirtualList';
import { grouped, placeOf } from '../../widgets/words';
import { type PathRow, rowsOf, wordsOf } from './path';
import { useAnswer } from './useAnswer';

export function CrashPath() {
  const failed = failure.value;
  const { answer, problem, isBusy } = useAnswer<CrashPathJson>(failed ? { kind: 'crash-path', failure: failed.number, limit: MOST, at: undefined, thread: undefined } : undefined);
  const rows = answer ? rowsOf(answer) : [];
  const now = moment.value?.point;
  const isCrash = address.value.at === 'crash' || address.value.at === failed?.point.point;
  const isHere = (row: PathRow): boolean =>
    row.label !== undefined && (isCrash ? row.label.label === 'crash' : row.label.point.event === now?.event && row.label.point.line === now?.line);
  // Several steps may be of one event: the one that was walked to counts.
  const [walked, setWalked] = useState(-1);
  const goal = failed && rows[walked]?.label;
  const at = goal && momentOfLabel(goal, failed!).at === address.value.at ? walked : rows.findLastIndex(isHere);
  const walk = (to: number | undefined): void => {
    const label = to === undefined ? undefined : rows[to]?.label;
    if (!label) return;
    setWalked(to!);
    go(momentOfLabel(label, failed!));
  };
  // Where the moment is not on the path, the walk goes on from its place in time.
  const event = now?.event ?? 0;
  const before = lastLabel(rows, at >= 0 ? at : rows.findLastIndex((row) => row.label && row.label.point.event < event) + 1, -1);
  const behind = lastLabel(rows, at >= 0 ? at : rows.findIndex((row) => row.label && row.label.point.event > event) - 1, 1);
  if (rows.length === 0) {
    return (
      <div class="empty">
        {isBusy ? (
          <p role="status">
            <Looking /> looking for the path to the failure …
          </p>
        ) : (
          <p>{!failed ? 'The run did not fail, so there is no path to a crash.' : (problem ?? 'no path is known')}</p>
        )}
      </div>
    );
  }
  const { object, value, made_into: madeInto, labels, functions } = answer!;
  return (
    <div class="list">
      <div class="list-head">
        <button onClick={() => walk(before)} disabled={before === undefined}>
          ‹ previous
        </button>
        <button onClick={() => walk(behind)} disabled={behind === undefined}>
          next ›
        </button>
        {isBusy ? <Looking /> : null}
        <span class="dim">{at >= 0 ? `step ${grouped(at + 1)} of ${grouped(rows.length)}` : `${grouped(rows.length)} steps`}</span>
        <span class="column-text">
          {object ? <code>{object}</code> : 'an object that is not known'}
          {value ? <code class="dim"> = {value.text}</code> : null}
          {madeInto ? (
            <span class="dim">
              , from which <code>{madeInto}</code> was made
            </span>
          ) : null}
        </span>
        <span class="dim">
          {grouped(labels)} labels in {functions === 1 ? 'one function' : `${grouped(functions)} functions`}
          {answer!.cut ? '; older ones are left out' : answer!.complete ? '' : '; there are holes'}
        </span>
        <button class="quiet" onClick={() => void whyFailure(failed!.number)}>
          explain the failure
        </button>
      </div>
      {answer!.lacks?.map((lack) => (
        <p key={lack} class="note">
          The recording does not tell {lack}.
        </p>
      ))}
      <VirtualList
        label="steps to the crash"
        count={rows.length}
        rowHeight={22}
        active={at >= 0 ? at : Math.max(0, (behind ?? rows.length) - 1)}
        onActive={walk}
        rowProps={(row) => ({ class: row === at ? 'at-here' : '', 'aria-current': row === at ? 'step' : undefined })}
      >
        {(row) => <Row row={rows[row]!} />}
      </VirtualList>
    </div>
  );
}

const Looking = () => <span class="spinner" aria-hidden="true" />;

/** More steps than these nobody walks; the birth is among them. */
const MOST = 2_000;
const DEEPEST = 20;

function Row({ row }: { row: PathRow }) {
  const indent = { paddingLeft: `${Math.min(row.depth, DEEPEST) * 14}px` };
  if (!row.label) {
    return (
      <span class="dim" style={indent}>
        {grouped(row.times!)} times:
      </span>
    );
  }
  const { label, point } = row.label;
  return (
    <>
      <span class="column-event dim">@{grouped(point.event)}</span>
      <span class="column-place">{placeOf(point)}</span>
      <span class={`badge label-${label}`}>{label}</span>
      <code class="column-text" style={indent}>
        {wordsOf(row.label)}
      </code>
    </>
  );
}

/** A crash is behind its event. */
function momentOfLabel(label: PathLabelJson, failed: NumberedFailureJson): Moment {
  return label.label === 'crash' ? { at: failed.point.point ?? 'crash', thread: String(failed.point.thread) } : momentOf(label.point);
}

/** The nearest row in a direction that is a step. */
function lastLabel(rows: PathRow[], from: number, by: 1 | -1): number | undefined {
  for (let row = from + by; row >= 0 && row < rows.length; row += by) if (rows[row]!.label) return row;
  return undefined;
}
