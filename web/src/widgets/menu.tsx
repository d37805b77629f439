// One menu at a time: what can be asked about the thing that was pointed at.
import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

export interface MenuItem {
  text: string;
  hint?: string;
  act(): void;
}

interface OpenMenu {
  title: string;
  items: MenuItem[];
  x: number;
  y: number;
  back: HTMLElement | null;
}

const open = signal<OpenMenu | undefined>(undefined);

/** Below what was pointed at. */
export function openMenuAt(element: Element, title: string, items: MenuItem[]): void {
  const box = element.getBoundingClientRect();
  openMenu(box.left, box.bottom + 2, title, items);
}

export function openMenu(x: number, y: number, title: string, items: MenuItem[]): void {
  open.value = { title, items, x, y, back: document.activeElement as HTMLElement | null };
}

export function Menu() {
  const menu = open.value;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !menu) return;
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(4, Math.min(menu.x, innerWidth - width - 6))}px`;
    element.style.top = `${menu.y + height > innerHeight - 6 ? Math.max(4, innerHeight - height - 6) : menu.y}px`;
    element.querySelector<HTMLElement>('[role=menuitem]')?.focus();
  }, [menu]);
  useEffect(() => {
    if (!menu) return;
    const away = (event: Event): void => {
      if (!box.current?.contains(event.target as Node)) open.value = undefined;
    };
    addEventListener('pointerdown', away, true);
    return () => removeEventListener('pointerdown', away, true);
  }, [menu]);
  if (!menu) return null;
  const close = (): void => {
    open.value = undefined;
    menu.back?.focus?.();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const items = [...box.current!.querySelectorAll<HTMLElement>('[role=menuitem]')];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const focus = (to: number): void => items[(to + items.length) % items.length]?.focus();
    event.stopPropagation();
    if (event.key === 'ArrowDown') focus(at + 1);
    else if (event.key === 'ArrowUp') focus(at - 1);
    else if (event.key === 'Home') focus(0);
    else if (event.key === 'End') focus(-1);
    else if (event.key === 'Escape' || event.key === 'Tab') close();
    else return;
    event.preventDefault();
  };
  return (
    <div ref={box} class="menu" onKeyDown={onKeyDown}>
      <div class="menu-title" id="menu-title">
        {menu.title}
      </div>
      <div role="menu" aria-labelledby="menu-title">
        {menu.items.map((item) => (
          <button
            key={item.text}
            role="menuitem"
            onClick={() => {
              close();
              item.act();
            }}
          >
            <span>{item.text}</span>
            {item.hint ? <kbd>{item.hint}</kbd> : null}
          </button>
        ))}
      </div>
    </div>
  );
}
