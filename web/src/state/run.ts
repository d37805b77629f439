// The run that is shown: what it is, its threads, its failure.
import { computed, effect, signal } from '@preact/signals';
import { ask, send } from '../api/client';
import type { FailuresJson, NumberedFailureJson, RunJson, SourceJson, SourcesJson, ThreadJson, ThreadsJson } from '../api/types';
import { go, runName } from './address';
import { complain } from './said';

export const run = signal<RunJson | undefined>(undefined);
export const threads = signal<ThreadJson[]>([]);
export const failures = signal<NumberedFailureJson[]>([]);
export const sources = signal<SourceJson[]>([]);
/** Grows when there is more of a run that is being recorded. */
export const growth = signal(0);

/** By its number, once a person chose one. */
const chosenFailure = signal<number | undefined>(undefined);
/** The failure that is looked at: the first that can be, until another is chosen. */
export const failure = computed(() => {
  const all = failures.value;
  return all.find((one) => one.number === chosenFailure.value) ?? all.find((one) => one.kind !== 'unrecorded') ?? all[0];
});

/** Where it failed. Of a test of which nothing was recorded there is no moment. */
export function lookAt({ number, kind, point }: NumberedFailureJson): void {
  chosenFailure.value = number;
  if (kind !== 'unrecorded') go({ at: point.point ?? 'crash', thread: String(point.thread) });
}

/** The explanation with which the page opens, while it is made. */
export const opening = signal<Promise<void>>(Promise.resolve());
/** When what failed is known and explained. What nobody waits for comes after that: it would take the time that those take. */
let isSettled: Promise<void> = Promise.resolve();
export const afterOpening = (): Promise<void> => isSettled;

effect(() => {
  const wanted = runName.value;
  run.value = undefined;
  threads.value = [];
  failures.value = [];
  chosenFailure.value = undefined;
  sources.value = [];
  void load(wanted, true);
});

async function load(wanted: string | undefined, isNew: boolean): Promise<void> {
  const asking = { run: wanted };
  const isStill = (): boolean => runName.peek() === wanted;
  // Each is shown when it is there. What is not known is left out. A thread may have several failures: they are named by numbers.
  const failed = ask<FailuresJson>({ kind: 'failures' }, { ...asking, numbered: true })
    .then((reply) => {
      if (isStill()) failures.value = reply.answer.failures;
    })
    .catch(() => undefined)
    .then(() => opening.peek());
  if (isNew) isSettled = failed;
  try {
    const [about, known] = await Promise.all([
      send<RunJson>('GET', `/api/runs/${wanted ?? 'first'}`),
      ask<ThreadsJson>({ kind: 'threads', limit: 1_000 }, asking),
    ]);
    if (!isStill()) return;
    run.value = about;
    threads.value = known.answer.threads;
    if (!isNew) growth.value += 1;
    if (about.running) setTimeout(() => isStill() && void load(wanted, false), 1_000);
    await failed;
    const loaded = await ask<SourcesJson>({ kind: 'sources', limit: 10_000 }, asking).catch(() => undefined);
    if (loaded && isStill()) sources.value = loaded.answer.sources;
  } catch (error) {
    if (isStill()) complain(error);
  }
}
