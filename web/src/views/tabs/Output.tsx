// What the program printed. Each line leads to what printed it.
import { useState } from 'preact/hooks';
import type { FoundJson } from '../../api/types';
import { momentOf } from '../../api/types';
import { address, go } from '../../state/address';
import { moment } from '../../state/moment';
import { VirtualList } from '../../widgets/VirtualList';
import { grouped, placeOf } from '../../widgets/words';
import { useAnswer } from './useAnswer';

export function Output() {
  const { thread } = address.value;
  const [limit, setLimit] = useState(500);
  const { answer, problem, isBusy } = useAnswer<FoundJson>({ kind: 'find', event: 'output', limit, thread });
  const results = answer?.results ?? [];
  const here = results.findIndex((found) => found.point.event === moment.value?.point.event);
  const [active, setActive] = useState<number | undefined>(undefined);
  return (
    <div class="list">
      <div class="list-head">
        <span>output</span>
        <span class="dim">{isBusy ? 'looking …' : `${grouped(results.length)} writes`}</span>
        {answer?.more ? (
          <button class="quiet" onClick={() => setLimit(limit * 4)}>
            later ones are left out: show more
          </button>
        ) : null}
        {problem ? <span class="bad">{problem}</span> : null}
      </div>
      <VirtualList
        label="output"
        count={results.length}
        rowHeight={20}
        active={active ?? Math.max(0, here)}
        onActive={setActive}
        onChoose={(row) => results[row] && go(momentOf(results[row].point))}
        rowProps={(row) => ({ class: row === here ? 'at-here' : '' })}
        empty={isBusy ? 'looking …' : 'nothing was printed'}
      >
        {(row) => {
          const found = results[row]!;
          return (
            <>
              <span class="column-place dim">{placeOf(found.point)}</span>
              <code class="column-text">{found.text}</code>
            </>
          );
        }}
      </VirtualList>
    </div>
  );
}
