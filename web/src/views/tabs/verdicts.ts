// What was said of calls, by the event of their entry.
import { signal } from '@preact/signals';

export type Verdict = 'valid' | 'invalid' | 'unknown' | 'trusted' | 'asked' | 'found';

export const verdicts = signal(new Map<number, Verdict>());

export const verdictOf = (entry: number): Verdict | undefined => verdicts.value.get(entry);
