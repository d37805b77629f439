// A list of any length: only the rows that can be seen are there. One row is the active one; the keys move it.
import type { ComponentChildren, HTMLAttributes } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface VirtualListProps {
  label: string;
  count: number;
  rowHeight: number;
  /** The row that the keys move. */
  active: number;
  onActive(row: number): void;
  /** Enter, or a click. */
  onChoose?(row: number, event: MouseEvent | KeyboardEvent): void;
  /** A key that the list itself does not know. */
  onKey?(row: number, event: KeyboardEvent): void;
  role?: 'listbox' | 'tree';
  rowProps?(row: number): HTMLAttributes<HTMLDivElement>;
  children(row: number): ComponentChildren;
  empty?: ComponentChildren;
}

const MARGIN = 8;

export function VirtualList(props: VirtualListProps) {
  const { count, rowHeight, active } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(300);

  useLayoutEffect(() => {
    const element = box.current!;
    const watch = new ResizeObserver(() => setHeight(element.clientHeight));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);

  useEffect(() => {
    const element = box.current!;
    const [start, end] = [active * rowHeight, (active + 1) * rowHeight];
    if (start < element.scrollTop) element.scrollTop = start;
    else if (end > element.scrollTop + element.clientHeight) element.scrollTop = end - element.clientHeight;
  }, [active, rowHeight]);

  const first = Math.max(0, Math.floor(top / rowHeight) - MARGIN);
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + MARGIN);

  const move = (to: number, event: KeyboardEvent): void => {
    event.preventDefault();
    props.onActive(Math.max(0, Math.min(count - 1, to)));
  };
  const page = Math.max(1, Math.floor(height / rowHeight) - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') move(active + 1, event);
    else if (event.key === 'ArrowUp') move(active - 1, event);
    else if (event.key === 'PageDown') move(active + page, event);
    else if (event.key === 'PageUp') move(active - page, event);
    else if (event.key === 'Home') move(0, event);
    else if (event.key === 'End') move(count - 1, event);
    else if (event.key === 'Enter' && props.onChoose) {
      event.preventDefault();
      props.onChoose(active, event);
    } else props.onKey?.(active, event);
  };

  const isTree = props.role === 'tree';
  const rows = [];
  for (let row = first; row < last; row++) {
    const own = props.rowProps?.(row) ?? {};
    rows.push(
      <div
        key={row}
        id={`${props.label}-${row}`.replaceAll(' ', '-')}
        role={isTree ? 'treeitem' : 'option'}
        aria-selected={row === active}
        aria-setsize={isTree ? undefined : count}
        aria-posinset={isTree ? undefined : row + 1}
        {...own}
        class={`row ${row === active ? 'active' : ''} ${(own.class as string | undefined) ?? ''}`}
        style={{ top: `${row * rowHeight}px`, height: `${rowHeight}px` }}
        onClick={(event) => {
          props.onActive(row);
          props.onChoose?.(row, event);
        }}
      >
        {props.children(row)}
      </div>,
    );
  }
  return (
    <div
      ref={box}
      class="virtual"
      role={count > 0 ? (props.role ?? 'listbox') : 'group'}
      aria-label={props.label}
      aria-activedescendant={count > 0 && active >= first && active < last ? `${props.label}-${active}`.replaceAll(' ', '-') : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      {count > 0 ? (
        <div class="virtual-space" role="presentation" style={{ height: `${count * rowHeight}px` }}>
          {rows}
        </div>
      ) : (
        <div class="empty">{props.empty ?? 'nothing'}</div>
      )}
    </div>
  );
}
