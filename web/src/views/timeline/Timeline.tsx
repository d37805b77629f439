// The whole run: calls, output and exceptions, the chain as pins. The wheel zooms, dragging pans, a click goes there.
import { computed, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { go } from '../../state/address';
import { show as showCard } from '../../state/asking';
import { cards, chosen } from '../../state/chain';
import { moment, thread } from '../../state/moment';
import { threads } from '../../state/run';
import { theme } from '../../state/theme';
import { grouped, placeOf, shortNumber } from '../../widgets/words';
import { PINS, draw, type Scene } from './draw';
import { boxesOf } from './icicle';
import { OnlyMine } from '../../widgets/OnlyMine';
import { timeAt, timeMarks } from './axis';
import { bringIn, pan, parts, times, range, show, showAll, whole, zoom } from './view';

const boxes = computed(() => boxesOf(parts.value));

export function Timeline() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useRef({ width: 0, height: 0 });
  const hover = useRef<number | undefined>(undefined);
  const tip = useRef<HTMLDivElement>(null);
  const frame = useRef(0);

  const scene = (): Scene => ({
    ...size.current,
    range: range.value,
    parts: parts.value,
    times: timeMarks(times.value, range.value, Math.floor(size.current.width / 110)),
    boxes: boxes.value,
    pins: pinsOf(),
    here: moment.value?.point.thread === thread.value?.thread ? moment.value?.point.event : undefined,
    hover: hover.current,
  });
  const redraw = (): void => {
    const seen = scene();
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => canvas.current && seen.width > 0 && draw(canvas.current, seen));
  };
  useSignalEffect(() => {
    theme.value;
    redraw();
  });
  useSignalEffect(() => {
    const point = moment.value?.point;
    if (point && point.thread === thread.value?.thread) bringIn(point.event);
  });
  useEffect(() => {
    const element = canvas.current!;
    const watch = new ResizeObserver(() => {
      size.current = { width: element.clientWidth, height: element.clientHeight };
      redraw();
    });
    watch.observe(element);
    // The page must not scroll meanwhile, which only a listener can say that is not passive.
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const { from, to } = range.peek();
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(((event.deltaX || event.deltaY) / size.current.width) * (to - from));
      else zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 200), event.offsetX / size.current.width);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      watch.disconnect();
      element.removeEventListener('wheel', onWheel);
    };
  }, []);

  const eventAt = (x: number): number => {
    const { from, to } = range.peek();
    return Math.min(whole.peek().to - 1, Math.max(from, Math.floor(from + ((to - from) * x) / size.current.width)));
  };
  const onPointerDown = (event: PointerEvent): void => {
    const start = { x: event.clientX, ...range.peek() };
    let hasMoved = false;
    const element = event.currentTarget as HTMLElement;
    element.setPointerCapture(event.pointerId);
    const drag = (move: PointerEvent): void => {
      const by = move.clientX - start.x;
      hasMoved ||= Math.abs(by) > 3;
      if (!hasMoved) return;
      const shift = (-by / size.current.width) * (start.to - start.from);
      show({ from: start.from + shift, to: start.to + shift });
    };
    const done = (up: PointerEvent): void => {
      element.removeEventListener('pointermove', drag);
      element.removeEventListener('pointerup', done);
      if (!hasMoved) choose(up.offsetX, up.offsetY);
    };
    element.addEventListener('pointermove', drag);
    element.addEventListener('pointerup', done);
  };
  const choose = (x: number, y: number): void => {
    if (y < PINS) {
      const near = pinsOf().find((pin) => Math.abs(toX(pin.event) - x) < 10);
      const card = near && cards.peek()[near.number - 1];
      if (card) return showCard(card);
    }
    const shown = thread.peek();
    if (shown) go({ at: `@${eventAt(x)}`, thread: String(shown.thread) });
  };
  const toX = (event: number): number => ((event - range.peek().from) / (range.peek().to - range.peek().from)) * size.current.width;
  const onPointerMove = (event: PointerEvent): void => {
    hover.current = eventAt(event.offsetX);
    redraw();
    const element = tip.current!;
    const at = hover.current;
    const part = parts.peek().find((one) => one.events[0] <= at && at < one.events[1]);
    const words = [part?.busiest ?? part?.stack.at(-1)?.[1], part?.throws ? `${shortNumber(part.throws)} thrown` : '', part?.prints ? 'prints' : ''];
    const ms = timeAt(times.peek(), at);
    const time = ms === undefined ? '' : `about ${grouped(Math.round(ms))} ms`;
    element.textContent = [`@${grouped(at)}`, time, ...words.filter(Boolean)].join(' · ');
    element.style.left = `${Math.min(event.offsetX + 12, size.current.width - 160)}px`;
    element.hidden = false;
  };
  const onPointerLeave = (): void => {
    hover.current = undefined;
    tip.current!.hidden = true;
    redraw();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { from, to } = range.peek();
    const keys: Record<string, () => void> = {
      ArrowLeft: () => pan((from - to) / 8),
      ArrowRight: () => pan((to - from) / 8),
      '+': () => zoom(0.6, centre()),
      '=': () => zoom(0.6, centre()),
      '-': () => zoom(1 / 0.6, centre()),
      Home: showAll,
      Enter: () => choose(size.current.width / 2, PINS + 1),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]!();
  };
  const centre = (): number => {
    const at = moment.peek()?.point.event;
    const { from, to } = range.peek();
    return at !== undefined && at >= from && at <= to ? (at - from) / (to - from) : 0.5;
  };
  const { from, to } = range.value;
  const isWhole = from === whole.value.from && to === whole.value.to;
  const point = moment.value?.point;
  return (
    <section class="timeline" aria-label="timeline">
      <canvas
        ref={canvas}
        tabIndex={0}
        role="slider"
        aria-label="moment of the run; arrows pan, plus and minus zoom, Enter goes to the middle"
        aria-valuemin={Math.floor(from)}
        aria-valuemax={Math.ceil(to)}
        aria-valuenow={Math.max(Math.floor(from), Math.min(Math.ceil(to), point?.event ?? 0))}
        aria-valuetext={point ? `event ${point.event}, ${placeOf(point)}` : 'nowhere'}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerLeave={onPointerLeave}
        onDblClick={showAll}
        onKeyDown={onKeyDown}
      />
      <div ref={tip} class="time-tip" hidden />
      <div class="time-tools">
        {threads.value.length > 1 ? (
          <select
            aria-label="thread"
            value={String(thread.value?.thread ?? '')}
            onChange={(event) => go({ thread: event.currentTarget.value, at: 'end' })}
          >
            {threads.value.map((one) => (
              <option key={one.thread} value={String(one.thread)}>
                thread {one.thread} ({one.name})
              </option>
            ))}
          </select>
        ) : null}
        <span class="dim">
          {isWhole ? `${shortNumber(to - from)} events` : `${shortNumber(to - from)} of ${shortNumber(whole.value.to - whole.value.from)} events`}
        </span>
        <OnlyMine />
        <button class="quiet" aria-label="zoom in" onClick={() => zoom(0.5, centre())}>
          +
        </button>
        <button class="quiet" aria-label="zoom out" onClick={() => zoom(2, centre())}>
          −
        </button>
        <button class="quiet" disabled={isWhole} onClick={showAll}>
          all
        </button>
      </div>
    </section>
  );
}

function pinsOf(): Scene['pins'] {
  const shown = thread.value?.thread;
  return cards.value.flatMap((card, index) =>
    card.point && card.run === undefined && card.point.thread === shown
      ? [{ event: card.point.event, number: index + 1, isChosen: card.id === chosen.value }]
      : [],
  );
}

