// The moment that is looked at: where it is, the stack, the variables.
import { computed, effect, signal } from '@preact/signals';
import { Slot, ask } from '../api/client';
import type { FrameJson, PointJson, StateJson } from '../api/types';
import { address } from './address';
import { growth } from './run';
import { complain } from './said';

export interface Looked {
  point: PointJson;
  frames: FrameJson[];
  notes: string[];
}

/** As it was shown last: it stays until the next is there. */
export const moment = signal<Looked | undefined>(undefined);
export const isLooking = signal(false);

/** The frame that is chosen. */
export const frame = computed<FrameJson | undefined>(() => moment.value?.frames[address.value.frame] ?? moment.value?.frames[0]);
/** Where the chosen frame is. */
export const here = computed<PointJson | undefined>(() => frame.value?.point ?? moment.value?.point);

const wanted = computed(() => {
  const { run, at, thread, frame } = address.value;
  return JSON.stringify({ run, at, thread, frame });
});
const slot = new Slot();

effect(() => {
  const { run, at, thread, frame } = JSON.parse(wanted.value) as { run?: string; at?: string; thread?: string; frame: number };
  // At the end of a run that grows there is more and more.
  if (at === undefined || at === 'end') growth.value;
  isLooking.value = true;
  void slot
    .run((signal) => ask<StateJson>({ kind: 'state', frame, limit: 100, at, thread }, { run, signal }))
    .then((reply) => {
      if (!reply) return;
      moment.value = { point: reply.answer.point, frames: reply.answer.frames ?? [], notes: reply.notes };
      isLooking.value = false;
    })
    .catch((error) => {
      isLooking.value = false;
      complain(error);
    });
});
