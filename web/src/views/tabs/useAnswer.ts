// An answer that a view shows as long as its question is the same. The newest question counts.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Refusal, Slot, ask } from '../../api/client';
import type { AnswerJson, Question } from '../../api/types';
import { address } from '../../state/address';
import { growth } from '../../state/run';

export interface Answered<A> {
  answer?: A;
  notes: string[];
  problem?: string;
  /** The name of the problem, which stays when its words change. */
  problemId?: string;
  isBusy: boolean;
}

/** Of the run that is shown, or of another. */
export function useAnswer<A extends AnswerJson>(question: Question | undefined, other?: string): Answered<A> {
  const [shown, setShown] = useState<Answered<A>>({ notes: [], isBusy: false });
  const slot = useRef(new Slot());
  const run = other ?? address.value.run;
  const key = JSON.stringify([question, run, growth.value]);
  useEffect(() => {
    if (!question) {
      slot.current.cancel();
      setShown({ notes: [], isBusy: false });
      return;
    }
    setShown((before) => ({ ...before, isBusy: true }));
    slot.current
      .run((signal) => ask<A>(question, { run, signal }))
      .then((reply) => reply && setShown({ ...reply, isBusy: false }))
      .catch((error: Error) => {
        setShown({ notes: [], problem: error.message, problemId: error instanceof Refusal ? error.id : undefined, isBusy: false });
      });
  }, [key]);
  useEffect(() => () => slot.current.cancel(), []);
  return shown;
}
