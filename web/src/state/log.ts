// Print statements after the fact: a line, and what is to be told at each of its hits.
import { go } from './address';

/** Without an expression the person types one. */
export function logAt(file: string, line: number, what: string | undefined): void {
  go({ tab: 'log', logAt: `${file}:${line}`, logWhat: what, logWhen: undefined });
  if (what === undefined) requestAnimationFrame(() => document.querySelector<HTMLInputElement>('.log input[name="what"]')?.focus());
}
