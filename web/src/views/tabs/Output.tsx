// What the program printed. Each line leads to what printed it.
import { useState } from 'preact/hooks';
import type { FoundJson } from '../../api/types';
import { momentOf } from '../../api/types';
import { address, go } from '../../state/address';
import { moment } from '../../state/moment';
import { Notes } from '../../widgets/Notes';
import { VirtualList } from '../../widgets/VirtualList';
import { counted, placeOf } from '../../widgets/words';
import { useAnswer } from './useAnswer';

export function Output() {
  const { thread } = address.value;
  const [limit, setLimit] = useState(500);
  const { answer, notes, problem, isBusy } = useAnswer<FoundJson>({ kind: 'find', event: 'output', limit, thread });
  const results = answer?.results ?? [];
  const here = results.findIndex((found) => found.point.event === moment.value?.point.event);
  const [active, setActive] = useState<number | undefined>(undefined);
  return (
    <div class="list">
      <div class="list-head">
        <span>output</span>
        <span class="dim">{isBusy ? 'looking …' : counted(results.length, 'write')}</span>
        {answer?.more ? (
          <button class="quiet" onClick={() => setLimit(limit * 4)}>
            later ones are left out: show more
          </button>
        ) : null}
        <Notes of={notes} />
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
          const { stream, text } = printed(found.text);
          return (
            <>
              <span class="column-place dim">{placeOf(found.point)}</span>
              {stream ? <span class={`badge hit-${stream}`}>{stream}</span> : null}
              <code class={`column-text ${stream === 'stderr' ? 'bad' : ''}`}>{text}</code>
            </>
          );
        }}
      </VirtualList>
    </div>
  );
}

/** What was printed, as it was printed: the answer has it as a literal, behind the name of the stream. */
function printed(said: string): { stream?: string; text: string } {
  const [, stream, literal] = /^(stdout|stderr) (".*")$/s.exec(said) ?? [];
  try {
    const text = JSON.parse(literal ?? '') as string;
    return { stream, text: text.replace(/\n$/, '').replaceAll('\n', ' ⏎ ') };
  } catch {
    return { text: said };
  }
}
