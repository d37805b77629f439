// The judge: a dialogue about which call is the wrong one.
import { effect, signal } from '@preact/signals';
import { Slot, send } from '../api/client';
import type { JudgeQuestionJson, JudgeStateJson } from '../api/types';
import { momentOf } from '../api/types';
import { address, go, runName } from './address';
import { complain } from './said';

export type VerdictWord = 'valid' | 'invalid' | 'unknown' | 'trusted' | 'trusted-file';
export type Strategy = 'slice' | 'top-down' | 'divide' | 'edges' | 'def-use';

type Judged = JudgeStateJson & { about?: JudgeQuestionJson };

export const dialogue = signal<JudgeStateJson | undefined>(undefined);
/** A call that the person looks at, instead of the one that is asked about. */
export const about = signal<JudgeQuestionJson | undefined>(undefined);
export const isJudging = signal(false);
/** The order of questions. */
export const strategy = signal<Strategy>('slice');

const slot = new Slot();

effect(() => {
  runName.value;
  dialogue.value = undefined;
  about.value = undefined;
  strategy.value = 'slice';
});

async function act(what: object): Promise<Judged | undefined> {
  const run = address.peek().run;
  isJudging.value = true;
  try {
    const judged = await slot.run((signal) => send<Judged>('POST', `/api/runs/${run ?? 'first'}/judge`, what, signal));
    if (!judged) return undefined;
    dialogue.value = judged;
    about.value = judged.about;
    return judged;
  } catch (error) {
    complain(error);
    return undefined;
  } finally {
    isJudging.value = false;
  }
}

/** Goes on with the dialogue that was begun before, unless another order is chosen or all verdicts are forgotten. */
export async function begin(chosen?: Strategy, fresh = false): Promise<void> {
  if (chosen) strategy.value = chosen;
  follow(await act({ act: 'begin', strategy: chosen ?? (fresh ? strategy.peek() : undefined), fresh }));
}

export async function judge(verdict: VerdictWord): Promise<void> {
  follow(await act({ act: 'say', verdict, event: about.peek()?.call.point.event }));
}

export async function undo(): Promise<void> {
  follow(await act({ act: 'undo' }));
}

/** A call of the tree, to be looked at or judged. */
export async function lookAt(event: number): Promise<void> {
  await act({ act: 'about', event });
}

/** The page goes to the end of the call that is asked about: there all that it did is to be seen. */
function follow(judged: Judged | undefined): void {
  const call = judged?.question?.call;
  if (call) go(momentOf(call.end ?? call.point));
}
