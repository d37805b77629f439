// The line between two panels: it is dragged, or moved with the arrow keys. Sizes are kept in the browser.
import { computed, signal } from '@preact/signals';
import { keep, kept } from '../state/kept';

/** The chain is what the page is about: it has a third of the width. The timeline has room for seven calls in each other. */
const first = (): Record<string, number> => ({ chain: innerWidth / 3, values: innerWidth * 0.22, bottom: 230, timeline: 142 });
const LIMITS: Record<string, [number, number]> = { chain: [150, 1600], values: [180, 900], bottom: [80, 800], timeline: [60, 500] };

/** Those that were changed by hand. The others follow the window. */
const changed = signal<Record<string, number>>(known());
const inner = signal(innerWidth);
addEventListener('resize', () => (inner.value = innerWidth));

export const sizes = computed<Record<string, number>>(() => {
  inner.value;
  return Object.fromEntries(Object.entries({ ...first(), ...changed.value }).map(([name, size]) => [name, within(name, size)]));
});

function known(): Record<string, number> {
  const before = Object.entries((kept('panels') as Record<string, unknown> | null) ?? {});
  return Object.fromEntries(before.filter((one): one is [string, number] => one[0] in LIMITS && typeof one[1] === 'number'));
}

function within(name: string, size: number): number {
  const [least, most] = LIMITS[name]!;
  return Math.round(Math.max(least, Math.min(most, size)));
}

function resize(name: string, to: number): void {
  changed.value = { ...changed.value, [name]: within(name, to) };
  keep('panels', changed.value);
}

export function Split(props: { name: string; label: string; axis: 'x' | 'y'; grows: 1 | -1 }) {
  const { name, axis, grows } = props;
  const [least, most] = LIMITS[name]!;
  const onPointerDown = (event: PointerEvent): void => {
    const start = axis === 'x' ? event.clientX : event.clientY;
    const size = sizes.peek()[name]!;
    const element = event.currentTarget as HTMLElement;
    element.setPointerCapture(event.pointerId);
    const drag = (move: PointerEvent): void => resize(name, size + grows * ((axis === 'x' ? move.clientX : move.clientY) - start));
    const done = (): void => {
      element.removeEventListener('pointermove', drag);
      element.removeEventListener('pointerup', done);
    };
    element.addEventListener('pointermove', drag);
    element.addEventListener('pointerup', done);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -16, ArrowUp: -16, ArrowRight: 16, ArrowDown: 16 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    resize(name, sizes.peek()[name]! + grows * by);
  };
  return (
    <div
      class={`split split-${axis} split-${name}`}
      role="separator"
      aria-label={props.label}
      aria-orientation={axis === 'x' ? 'vertical' : 'horizontal'}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={sizes.value[name]}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}
