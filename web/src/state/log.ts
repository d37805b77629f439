// Print statements after the fact: a line, and what is to be told at each of its hits.
import { signal } from '@preact/signals';
import type { LogJson, Question } from '../api/types';
import { address, go } from './address';
import { askAgain } from './job';

/** What another run told, because the one that is shown did not record the line. */
export const loggedAgain = signal<{ key: string; answer: LogJson; run: string | undefined } | undefined>(undefined);

/** Of a question, in the run that it was asked of. */
export const keyOf = (question: Question): string => JSON.stringify([address.peek().run, question]);

/** Runs the program again for what is logged. */
export function logAgain(question: Question, words: string): void {
  const key = keyOf(question);
  void askAgain(question, words, (answer, run) => {
    loggedAgain.value = { key, answer: answer as LogJson, run };
  });
}

/** Without an expression the person types one. */
export function logAt(file: string, line: number, what: string | undefined): void {
  go({ tab: 'log', logAt: `${file}:${line}`, logWhat: what, logWhen: undefined });
  if (what === undefined) requestAnimationFrame(() => document.querySelector<HTMLInputElement>('.log input[name="what"]')?.focus());
}
