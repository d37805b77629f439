// The call tree.
import { useEffect, useState } from 'preact/hooks';
import type { CallJson } from '../../api/types';
import { momentOf } from '../../api/types';
import { go } from '../../state/address';
import { hasLibraries } from '../../state/mine';
import { OnlyMine } from '../../widgets/OnlyMine';
import { Value } from '../../widgets/Value';
import { VirtualList } from '../../widgets/VirtualList';
import { placeOf } from '../../widgets/words';
import { current, isLoading, problem, rows, toggle } from './callTree';
import { verdictOf } from './verdicts';

export function Calls() {
  return <CallTree hasHead />;
}

/** `onChoose` is told of the call that was chosen, besides going there. */
export function CallTree({ onChoose, hasHead }: { onChoose?: (call: CallJson) => void; hasHead?: boolean }) {
  const all = rows.value;
  const here = all.findIndex((row) => !row.isMore && row.node.key === current.value);
  const [active, setActive] = useState(0);
  useEffect(() => {
    if (here >= 0) setActive(here);
  }, [here]);
  const at = Math.min(active, Math.max(0, all.length - 1));
  const onKey = (index: number, event: KeyboardEvent): void => {
    const row = all[index];
    if (!row) return;
    if (event.key === 'ArrowRight' && !row.node.isOpen) toggle(row);
    else if (event.key === 'ArrowLeft' && row.node.isOpen) toggle(row);
    else if (event.key === 'ArrowLeft') setActive(Math.max(0, all.findLastIndex((one, i) => i < index && one.node.depth < row.node.depth)));
    else return;
    event.preventDefault();
  };
  return (
    <div class="list calls">
      {hasHead && hasLibraries.value ? (
        <div class="list-head">
          <OnlyMine />
        </div>
      ) : null}
      {problem.value ? <div class="list-head bad">{problem.value}</div> : null}
      <VirtualList
        label="calls"
        role="tree"
        count={all.length}
        rowHeight={22}
        active={at}
        onActive={setActive}
        onChoose={(index) => {
          const row = all[index];
          if (row?.isMore) toggle(row);
          else if (row?.node.call) {
            go(momentOf(row.node.call.point));
            onChoose?.(row.node.call);
          }
        }}
        onKey={onKey}
        rowProps={(index) => {
          const row = all[index]!;
          const verdict = row.node.call ? verdictOf(row.node.call.point.event) : undefined;
          return {
            'aria-level': row.node.depth + 1,
            'aria-expanded': row.isMore ? undefined : row.node.isOpen,
            class: `${index === here ? 'at-here' : ''} ${verdict ? `verdict-${verdict}` : ''}`,
          };
        }}
        empty={isLoading.value ? 'looking …' : 'no calls'}
      >
        {(index) => {
          const row = all[index];
          if (!row) return null;
          const { call } = row.node;
          const depth = row.node.depth + (row.isMore ? 1 : 0);
          const indent = <span class="indent" style={{ width: `${Math.min(depth, 40) * 14}px` }} />;
          if (row.isMore || !call) {
            return (
              <>
                {indent}
                <span class="link">{row.node.loading ? 'looking …' : 'there are more: show the next'}</span>
              </>
            );
          }
          const isLeaf = row.node.children?.length === 0 && !row.node.hasMore;
          return (
            <>
              {indent}
              <button
                class="twist"
                tabIndex={-1}
                aria-label={row.node.isOpen ? 'close' : 'open'}
                disabled={isLeaf}
                onClick={(event) => {
                  event.stopPropagation();
                  toggle(row);
                }}
              >
                {isLeaf ? '·' : row.node.isOpen ? '▾' : '▸'}
              </button>
              <span class="frame-name">{call.point.function ?? 'top level'}</span>
              <span class="arguments">
                (
                {call.arguments.map((argument, i) => (
                  <span key={argument.name}>
                    {i > 0 ? ', ' : ''}
                    <Value value={argument.value} cut={40} />
                  </span>
                ))}
                )
              </span>
              <span class="arrow"> → </span>
              {call.outcome === 'threw' ? <span class="bad">threw</span> : call.value ? <Value value={call.value} cut={60} /> : <span class="dim">{call.outcome}</span>}
              <span class="spring" />
              <span class="dim">{placeOf(call.point)}</span>
            </>
          );
        }}
      </VirtualList>
    </div>
  );
}
