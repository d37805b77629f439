// Moving about in time: steps, hits of a line, the next or last time that something happened.
import { Slot, ask } from '../api/client';
import type { MoveJson, Question } from '../api/types';
import { momentOf } from '../api/types';
import { address, go } from './address';
import { complain, say } from './said';

const slot = new Slot();

async function lead(question: Question, otherwise: string): Promise<void> {
  const { at, thread, run } = address.peek();
  try {
    const reply = await slot.run((signal) => ask<MoveJson>({ at, thread, ...question } as Question, { run, signal }));
    if (!reply) return;
    if (reply.answer.point) go(momentOf(reply.answer.point));
    else say(otherwise);
  } catch (error) {
    complain(error);
  }
}

export type Stride = 'into' | 'over' | 'out';

/**
 * Whoever presses the key three times goes three steps: each begins where the one before it ended. Who went elsewhere meanwhile does
 * not want those that are left.
 */
export function step(stride: Stride, back: boolean): void {
  if (nWaiting === MOST_WAITING) return;
  if (nWaiting === 0) goesOnFrom = moment();
  nWaiting += 1;
  steps = steps.then(async () => {
    if (moment() === goesOnFrom) {
      await lead({ kind: 'step', stride, back }, back ? 'the thread begins here' : 'the thread ends here');
      if (goesOnFrom !== undefined) goesOnFrom = moment();
    }
    nWaiting -= 1;
  });
}

/** A key that is held down asks faster than a long step can be answered. */
const MOST_WAITING = 20;
let nWaiting = 0;
let steps = Promise.resolve();
let goesOnFrom: string | undefined;

function moment(): string {
  const { run, thread, at } = address.peek();
  return `${run} ${thread} ${at}`;
}

/** The last hit of a line before the moment; where there is none, the first one after it. */
export async function hitOfLine(file: string, line: number, back: boolean): Promise<void> {
  goesOnFrom = undefined;
  const { at, thread, run } = address.peek();
  const seek = (back: boolean): Question => ({ kind: 'seek', event: undefined, file, line, back, at, thread }) as Question;
  try {
    const reply = await slot.run(async (signal) => {
      const found = await ask<MoveJson>(seek(back), { run, signal });
      return found.answer.point ? { found, turned: false } : { found: await ask<MoveJson>(seek(!back), { run, signal }), turned: true };
    });
    if (!reply) return;
    const { point } = reply.found.answer;
    if (!point) return say(`${file}:${line} was never executed`);
    if (reply.turned) say(back ? 'not executed before here: this is the next time' : 'not executed after here: this is the last time');
    go(momentOf(point));
  } catch (error) {
    complain(error);
  }
}
