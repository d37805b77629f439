// The stack, and what the variables of the chosen frame hold.
import { useState } from 'preact/hooks';
import { frame } from '../../state/moment';
import { openMenuAt } from '../../widgets/menu';
import { Value } from '../../widgets/Value';
import { VirtualList } from '../../widgets/VirtualList';
import { valueItems, valueKey } from './items';
import { Stack } from './Stack';
import { type Row, rows, toggle } from './tree';
import { Watches } from './Watches';

export function Values() {
  return (
    <section class="panel values" aria-label="values">
      <Stack />
      <header class="panel-head">
        <h2>variables</h2>
        <span class="dim">{frame.value?.function ?? (frame.value ? 'top level' : '')}</span>
      </header>
      <Variables />
      <Watches />
    </section>
  );
}

function Variables() {
  const all = rows.value;
  const [active, setActive] = useState(0);
  const at = Math.min(active, Math.max(0, all.length - 1));
  const menu = (row: Row, element: Element): void =>
    openMenuAt(element, row.place, valueItems(row.place, frame.value?.frame ?? 0));
  const onKey = (index: number, event: KeyboardEvent): void => {
    const row = all[index];
    if (!row) return;
    if (event.key === 'ArrowRight' && row.handle && !row.isOpen) toggle(row);
    else if (event.key === 'ArrowLeft' && row.isOpen) toggle(row);
    else if (event.key === 'ContextMenu' || event.key === 'a') {
      const element = document.querySelector(`.values .row.active`);
      if (element && row.value) menu(row, element);
    } else if (!event.ctrlKey && !event.metaKey && row.value && valueKey(event.key, row.place, frame.value?.frame ?? 0)) {
      // It is asked.
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <VirtualList
      label="variables"
      role="tree"
      count={all.length}
      rowHeight={22}
      active={at}
      onActive={setActive}
      onChoose={(index) => all[index] && toggle(all[index])}
      onKey={onKey}
      rowProps={(index) => {
        const row = all[index]!;
        return {
          'aria-level': row.depth + 1,
          'aria-expanded': row.handle ? row.isOpen : undefined,
          class: `scope-${row.scope} ${row.mark ? `mark-${row.mark}` : ''}`,
          title: row.mark === 'changed' ? 'changed in this call' : row.mark ? 'something inside was changed in this call' : undefined,
          onContextMenu: (event: MouseEvent) => {
            event.preventDefault();
            setActive(index);
            if (row.value) menu(row, event.currentTarget as Element);
          },
        };
      }}
      empty="no variables here"
    >
      {(index) => {
        const row = all[index];
        if (!row) return null;
        return (
          <>
            <span class="indent" style={{ width: `${row.depth * 14}px` }} />
            <span class="twist" aria-hidden="true">
              {row.handle ? (row.isOpen ? '▾' : '▸') : ''}
            </span>
            {row.more ? (
              <span class="link">{row.more.count?.toLocaleString('en') ?? ''} more are left out: show the next</span>
            ) : (
              <>
                <span class="name">{row.name}</span>
                <span class="colon">:</span>
                {row.old !== undefined && row.old !== row.value?.text ? <span class="old">{row.old} →</span> : null}
                {row.value ? <Value value={row.value} /> : null}
                <button
                  class="ask"
                  tabIndex={-1}
                  aria-label={`ask about ${row.place}`}
                  title={`ask about ${row.place}`}
                  onClick={(event) => {
                    event.stopPropagation();
                    setActive(index);
                    menu(row, event.currentTarget);
                  }}
                >
                  ?
                </button>
              </>
            )}
          </>
        );
      }}
    </VirtualList>
  );
}
