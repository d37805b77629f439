// What the page tells the person beside what it shows: that something could not be answered, or what an answer leaves out.
import { signal } from '@preact/signals';
import { Refusal, isAborted } from '../api/client';

export interface Said {
  text: string;
  kind: 'note' | 'problem';
  remedy?: Remedy;
}

/** What can be done about it. */
export interface Remedy {
  text: string;
  act(): void;
}

/** By the names of refusals. */
export const remedies = new Map<string, Remedy>();

export const said = signal<Said | undefined>(undefined);

let timer = 0;

export function say(text: string, kind: Said['kind'] = 'note', remedy?: Remedy): void {
  said.value = { text, kind, remedy };
  clearTimeout(timer);
  // What can be acted upon stays until it is.
  if (!remedy) timer = window.setTimeout(() => (said.value = undefined), kind === 'problem' ? 12_000 : 6_000);
}

/** Of work that was started and is not waited for. */
export function complain(error: unknown): void {
  if (isAborted(error)) return;
  const remedy = error instanceof Refusal ? remedies.get(error.id) : undefined;
  say(error instanceof Error ? error.message : String(error), 'problem', remedy);
}
