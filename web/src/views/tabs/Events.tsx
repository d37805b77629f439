// The events of the call that the moment is in.
import { useMemo, useState } from 'preact/hooks';
import type { EventsJson } from '../../api/types';
import { address, go } from '../../state/address';
import { frame, moment } from '../../state/moment';
import { source } from '../../state/sources';
import { Notes } from '../../widgets/Notes';
import { VirtualList } from '../../widgets/VirtualList';
import { grouped } from '../../widgets/words';
import { useAnswer } from './useAnswer';

export function Events() {
  const point = frame.value?.point ?? moment.value?.point;
  const { at, thread } = address.value;
  const [limit, setLimit] = useState(2_000);
  const { answer, notes, problem, isBusy } = useAnswer<EventsJson>(point && { kind: 'events', limit, at, thread });
  const events = answer?.events ?? [];
  const here = events.findIndex((event) => event.event === moment.value?.point.event);
  const [active, setActive] = useState<number | undefined>(undefined);
  const text = source.value?.text;
  const lines = useMemo(() => text?.split('\n'), [text]);
  return (
    <div class="list">
      <div class="list-head">
        <span>events of {point?.function ?? 'the top level'}</span>
        <span class="dim">{isBusy ? 'looking …' : `${grouped(events.length)}`}</span>
        {answer?.next ? (
          <button class="quiet" onClick={() => setLimit(limit * 4)}>
            the others are left out: show more
          </button>
        ) : null}
        <Notes of={notes} />
        {problem ? <span class="bad">{problem}</span> : null}
      </div>
      <VirtualList
        label="events"
        count={events.length}
        rowHeight={20}
        active={active ?? Math.max(0, here)}
        onActive={setActive}
        onChoose={(row) => {
          const event = events[row];
          if (event) go({ at: `@${event.event}`, thread: String(event.thread) });
          setActive(undefined);
        }}
        rowProps={(row) => ({ class: row === here ? 'at-here' : '' })}
        empty={isBusy ? 'looking …' : 'no events'}
      >
        {(row) => {
          const event = events[row]!;
          return (
            <>
              <span class="column-event dim">@{grouped(event.event)}</span>
              <span class="column-kind">{event.kind}</span>
              <span class="column-line dim">{event.line ?? ''}</span>
              <code class="column-happened">{event.text}</code>
              <code class="column-source column-text">{lines && event.file === source.value?.file ? lines[(event.line ?? 0) - 1]?.trim() : ''}</code>
            </>
          );
        }}
      </VirtualList>
    </div>
  );
}
