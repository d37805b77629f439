// The moment that is looked at: where it is, the stack, the variables of the chosen frame.
import { computed, effect, signal } from '@preact/signals';
import { Slot, ask } from '../api/client';
import type { ChildJson, ChildrenJson, FrameAtJson, PointJson, ScopesJson, StackJson, ThreadJson } from '../api/types';
import { address } from './address';
import { growth, threads } from './run';
import { complain } from './said';

export interface Looked {
  run?: string;
  point: PointJson;
  frames: FrameAtJson[];
  /** Where the stack goes on: a deep one comes in pages. */
  next?: string;
  notes: string[];
}

export interface Variable extends ChildJson {
  scope: string;
}

/** As it was shown last: it stays until the next is there. */
export const moment = signal<Looked | undefined>(undefined);
/** Of the chosen frame. */
export const variables = signal<Variable[]>([]);
export const isLooking = signal(false);
/** Why there is nothing to show. */
export const problem = signal<string | undefined>(undefined);

/** The frame that is chosen. */
export const frame = computed<FrameAtJson | undefined>(() => moment.value?.frames[address.value.frame] ?? moment.value?.frames[0]);
/** Where the chosen frame is. */
export const here = computed<PointJson | undefined>(() => frame.value?.point ?? moment.value?.point);

/** The thread that is shown: the one that is named, or else that of the moment. The first may have no code of the program. */
export const thread = computed<ThreadJson | undefined>(() => {
  const { thread: wanted, run } = address.value;
  const shown = moment.value?.run === run ? moment.value?.point.thread : undefined;
  if (wanted === undefined && shown === undefined && !problem.value) return undefined;
  const name = wanted ?? String(shown);
  return threads.value.find((one) => String(one.thread) === name || one.name === name) ?? threads.value[0];
});

const wanted = computed(() => {
  const { run, at, thread } = address.value;
  return JSON.stringify({ run, at, thread });
});
const slot = new Slot();
const PAGE = 200;
/** Of a scope; whoever has more variables sees the first of them. */
const MOST_VARIABLES = 500;

effect(() => {
  const { run, at, thread } = JSON.parse(wanted.value) as { run?: string; at?: string; thread?: string };
  // At the end of a run that grows there is more and more.
  if (at === undefined || at === 'end') growth.value;
  isLooking.value = true;
  void slot
    .run(async (signal) => {
      const { answer, notes } = await ask<StackJson>({ kind: 'stack', limit: PAGE, at, thread }, { run, signal });
      const chosen = answer.frames[address.peek().frame] ?? answer.frames[0];
      const seen = chosen ? await variablesOf(chosen, run, signal) : [];
      return { looked: { run, point: answer.point, frames: answer.frames, next: answer.next, notes }, chosen, seen };
    })
    .then((found) => {
      if (!found) return;
      shownFor = found.chosen?.handle;
      variables.value = found.seen;
      moment.value = found.looked;
      problem.value = undefined;
      isLooking.value = false;
    })
    .catch((error: Error) => {
      isLooking.value = false;
      problem.value = error.message;
      complain(error);
    });
});

/** The frame whose variables are shown. */
let shownFor: string | undefined;
const others = new Slot();

effect(() => {
  const chosen = frame.value;
  if (!chosen || chosen.handle === shownFor) return;
  shownFor = chosen.handle;
  void others
    .run((signal) => variablesOf(chosen, address.peek().run, signal))
    .then((seen) => {
      if (seen) variables.value = seen;
    })
    .catch(complain);
});

/** Those of the frame, and those around it that it does not hide. */
async function variablesOf(of: FrameAtJson, run: string | undefined, signal: AbortSignal): Promise<Variable[]> {
  const scopes = await ask<ScopesJson>({ kind: 'scopes', frame: of.handle }, { run, signal });
  const parts = await Promise.all(
    scopes.answer.scopes.map(async ({ scope, handle }) => {
      const reply = await ask<ChildrenJson>({ kind: 'children', of: handle, limit: MOST_VARIABLES }, { run, signal });
      return reply.answer.children.map((child) => ({ ...child, scope: scope === 'local' ? 'local' : 'closure' }));
    }),
  );
  const known = new Set<string>();
  return parts.flat().filter(({ name }) => !known.has(name) && known.add(name));
}

/** The next page of the stack. */
export async function moreFrames(): Promise<void> {
  const looked = moment.peek();
  if (!looked?.next) return;
  const { run, at, thread } = address.peek();
  try {
    const { answer } = await ask<StackJson>({ kind: 'stack', limit: PAGE * 10, next: looked.next, at, thread }, { run });
    if (moment.peek() === looked) moment.value = { ...looked, frames: [...looked.frames, ...answer.frames], next: answer.next };
  } catch (error) {
    complain(error);
  }
}
