// What the page tells the person beside what it shows: that something could not be answered, or what an answer leaves out.
import { signal } from '@preact/signals';
import { isAborted } from '../api/client';

export interface Said {
  text: string;
  kind: 'note' | 'problem';
}

export const said = signal<Said | undefined>(undefined);

let timer = 0;

export function say(text: string, kind: Said['kind'] = 'note'): void {
  said.value = { text, kind };
  clearTimeout(timer);
  timer = window.setTimeout(() => (said.value = undefined), kind === 'problem' ? 12_000 : 6_000);
}

/** Of work that was started and is not waited for. */
export function complain(error: unknown): void {
  if (!isAborted(error)) say(error instanceof Error ? error.message : String(error), 'problem');
}
