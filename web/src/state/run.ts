// The run that is shown: what it is, its threads, its failure.
import { computed, effect, signal } from '@preact/signals';
import { ask, send } from '../api/client';
import type { FailuresJson, NumberedFailureJson, RunJson, SourceJson, SourcesJson, ThreadJson, ThreadsJson } from '../api/types';
import { address, runName } from './address';
import { complain } from './said';

export const run = signal<RunJson | undefined>(undefined);
export const threads = signal<ThreadJson[]>([]);
export const failures = signal<NumberedFailureJson[]>([]);
export const sources = signal<SourceJson[]>([]);
/** Grows when there is more of a run that is being recorded. */
export const growth = signal(0);

/** The thread that is shown. */
export const thread = computed<ThreadJson | undefined>(() => {
  const wanted = address.value.thread;
  return threads.value.find((one) => String(one.thread) === wanted || one.name === wanted) ?? threads.value[0];
});

effect(() => {
  const wanted = runName.value;
  run.value = undefined;
  threads.value = [];
  failures.value = [];
  sources.value = [];
  void load(wanted, true);
});

async function load(wanted: string | undefined, isNew: boolean): Promise<void> {
  const asking = { run: wanted };
  const isStill = (): boolean => runName.peek() === wanted;
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
    // Each is shown when it is there. What is not known is left out.
    const failed = ask<FailuresJson>({ kind: 'failures' }, asking).then((reply) => {
      if (isStill()) failures.value = reply.answer.failures;
    });
    const loaded = ask<SourcesJson>({ kind: 'sources', limit: 10_000 }, asking).then((reply) => {
      if (isStill()) sources.value = reply.answer.sources;
    });
    await Promise.allSettled([failed, loaded]);
  } catch (error) {
    if (isStill()) complain(error);
  }
}
