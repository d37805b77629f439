// Which part of the thread the timeline shows, and what is known of it. While finer data are on their way the coarser are drawn.
import { computed, effect, signal } from '@preact/signals';
import { Slot, ask } from '../../api/client';
import type { OverviewJson, PartOfRunJson } from '../../api/types';
import { runName } from '../../state/address';
import { onlyMine } from '../../state/mine';
import { thread } from '../../state/moment';
import { growth } from '../../state/run';
import { complain } from '../../state/said';

export interface Range {
  from: number;
  to: number;
}

/** Of a thread with its first and last event. */
export const whole = computed<Range>(() => {
  const [from, to] = thread.value?.events ?? [0, 1];
  return { from, to: Math.max(to, from + 1) };
});

/** What is looked at; nothing: the whole thread. */
const zoomed = signal<Range | undefined>(undefined);
export const range = computed<Range>(() => zoomed.value ?? whole.value);
export const parts = signal<PartOfRunJson[]>([]);
/** Some events, each with about its time in milliseconds since the start of the run. */
export const times = signal<[number, number][]>([]);

const SMALLEST = 8;

export function show(to: Range): void {
  const { from, to: end } = whole.value;
  const width = Math.min(Math.max(to.to - to.from, SMALLEST), end - from);
  const start = Math.min(Math.max(to.from, from), end - width);
  zoomed.value = width >= end - from ? undefined : { from: start, to: start + width };
}

/** Around a place, from 0 to 1, that stays where it is. */
export function zoom(by: number, around: number): void {
  const { from, to } = range.value;
  const at = from + (to - from) * around;
  show({ from: at - (at - from) * by, to: at + (to - at) * by });
}

export function pan(by: number): void {
  const { from, to } = range.value;
  show({ from: from + by, to: to + by });
}

export function showAll(): void {
  zoomed.value = undefined;
}

/** An event that is out of sight comes into view. */
export function bringIn(event: number): void {
  const { from, to } = range.peek();
  if (event >= from && event <= to) return;
  const width = to - from;
  show({ from: event - width / 2, to: event + width / 2 });
}

/** The thread itself grows, and is still the same. */
const shownThread = computed(() => thread.value?.thread);

effect(() => {
  shownThread.value;
  runName.value;
  zoomed.value = undefined;
});

const slot = new Slot();
const N_PARTS = 320;
let timer = 0;

effect(() => {
  const shown = thread.value;
  const { from, to } = range.value;
  growth.value;
  const own = onlyMine.value;
  if (!shown) return;
  const run = runName.peek();
  // A little more than is seen, so that a pan has something to show.
  const margin = (to - from) * 0.25;
  const events: [number, number] = [Math.max(whole.value.from, Math.floor(from - margin)), Math.min(whole.value.to, Math.ceil(to + margin))];
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    void slot
      .run((signal) => ask<OverviewJson>({ kind: 'overview', events, parts: N_PARTS, own, thread: String(shown.thread) }, { run, signal }))
      .then((reply) => {
        if (!reply) return;
        parts.value = reply.answer.parts;
        times.value = reply.answer.times ?? [];
      })
      .catch(complain);
  }, 30);
});
