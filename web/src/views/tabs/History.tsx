// Every change of a place, oldest first.
import { useEffect, useState } from 'preact/hooks';
import type { HistoryJson } from '../../api/types';
import { momentOf } from '../../api/types';
import { address, go } from '../../state/address';
import { showHistory } from '../../state/history';
import { moment } from '../../state/moment';
import { Value } from '../../widgets/Value';
import { Notes } from '../../widgets/Notes';
import { VirtualList } from '../../widgets/VirtualList';
import { counted, grouped, placeOf } from '../../widgets/words';
import { useAnswer } from './useAnswer';

export function History() {
  // The place is that of the moment at which it was asked about: going to one of its changes does not ask anew.
  const { about, aboutAt, aboutThread } = address.value;
  const [limit, setLimit] = useState(500);
  const { answer, notes, problem, isBusy } = useAnswer<HistoryJson>(
    about ? { kind: 'history', place: about, limit, at: aboutAt, thread: aboutThread } : undefined,
  );
  const changes = answer?.changes ?? [];
  const event = moment.value?.point.event;
  const here = changes.findIndex((change) => change.point.event === event);
  const [active, setActive] = useState(0);
  useEffect(() => {
    if (here >= 0) setActive(here);
  }, [here]);
  return (
    <div class="list">
      <form
        class="list-head"
        onSubmit={(submit) => {
          submit.preventDefault();
          showHistory(new FormData(submit.currentTarget).get('place') as string);
        }}
      >
        <label>
          history of <input name="place" aria-label="place" key={about} defaultValue={about ?? ''} placeholder="cart.total" />
        </label>
        <button class="quiet">show</button>
        <span class="dim">{isBusy ? 'looking …' : answer ? counted(changes.length, 'change') : ''}</span>
        {answer?.has_more ? (
          <button type="button" class="quiet" onClick={() => setLimit(limit * 4)}>
            older ones are left out: show more
          </button>
        ) : null}
        <Notes of={notes} />
        {problem ? <span class="bad">{problem}</span> : null}
      </form>
      <VirtualList
        label="history"
        count={changes.length}
        rowHeight={22}
        active={Math.min(active, Math.max(0, changes.length - 1))}
        onActive={setActive}
        onChoose={(row) => changes[row] && go(momentOf(changes[row].point))}
        rowProps={(row) => ({ class: row === here ? 'at-here' : '' })}
        empty={about ? (isBusy ? 'looking …' : 'it never changed') : 'ask for the history of a value: press h on it'}
      >
        {(row) => {
          const change = changes[row]!;
          return (
            <>
              <span class="column-event dim">@{grouped(change.point.event)}</span>
              <span class="column-place">{placeOf(change.point)}</span>
              <span class="column-function dim">{change.point.function ?? ''}</span>
              <span class="column-value">
                {change.old ? <Value value={change.old} cut={50} /> : <span class="dim">new</span>}
                <span class="arrow"> → </span>
                {change.new ? <Value value={change.new} cut={80} /> : <span class="dim">removed</span>}
              </span>
              <code class="column-source">{change.point.text?.trim()}</code>
            </>
          );
        }}
      </VirtualList>
    </div>
  );
}
