// What the page tells the person beside what it shows: that something could not be answered, or what an answer leaves out.
import { signal } from '@preact/signals';
import { Refusal, isAborted } from '../api/client';

export interface Said {
  text: string;
  kind: 'note' | 'problem';
  remedies: Remedy[];
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

export function say(text: string, kind: Said['kind'] = 'note', offered: Remedy[] = []): void {
  said.value = { text, kind, remedies: offered };
  clearTimeout(timer);
  // What can be acted upon stays until it is.
  if (offered.length === 0) timer = window.setTimeout(() => (said.value = undefined), kind === 'problem' ? 12_000 : 6_000);
}

/** Of work that was started and is not waited for. What can be done about it in particular comes before what always can. */
export function complain(error: unknown, offered: Remedy[] = []): void {
  if (isAborted(error)) return;
  const known = error instanceof Refusal ? remedies.get(error.id) : undefined;
  say(error instanceof Error ? error.message : String(error), 'problem', known ? [...offered, known] : offered);
}
