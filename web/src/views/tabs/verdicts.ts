// What was said of calls, by the event of their entry.
import { computed } from '@preact/signals';
import { dialogue } from '../../state/judge';

export type Verdict = 'valid' | 'invalid' | 'unknown' | 'trusted' | 'asked' | 'found';

const verdicts = computed(() => {
  const known = new Map<number, Verdict>();
  const judged = dialogue.value;
  for (const verdict of judged?.verdicts ?? []) {
    if (verdict.call) known.set(verdict.call.event, verdict.verdict as Verdict);
  }
  if (judged?.found) known.set(judged.found.event, 'found');
  else if (judged?.kind === 'ask' && judged.question) known.set(judged.question.call.point.event, 'asked');
  return known;
});

export const verdictOf = (entry: number): Verdict | undefined => verdicts.value.get(entry);
