// Texts of files, with how often each line was executed. A file of a run does not change, so each is asked for once.
import { computed, effect, signal } from '@preact/signals';
import { Slot, ask } from '../api/client';
import type { SourceTextJson } from '../api/types';
import { address, runName } from './address';
import { here } from './moment';
import { afterOpening, growth } from './run';

export interface ShownSource {
  file: string;
  text: string;
  /** By line. */
  hits: Map<number, number>;
  problem?: string;
}

export const source = signal<ShownSource | undefined>(undefined);

/** The file that is looked at: the one that was chosen, or else that of the moment. */
export const file = computed(() => address.value.file ?? here.value?.file);

const kept = new Map<string, ShownSource>();
const MOST_KEPT = 40;
const slot = new Slot();

effect(() => {
  const wanted = file.value;
  const run = runName.value;
  if (!wanted) return;
  const key = `${run}\0${growth.value}\0${wanted}`;
  const known = kept.get(key);
  if (known) {
    source.value = known;
    return;
  }
  // The text is shown at once; in a large run the counts take longer.
  void slot
    .run(async (signal) => {
      const text = await ask<SourceTextJson>({ kind: 'source', file: wanted, counts: false }, { run, signal });
      if (signal.aborted) return undefined;
      source.value = { file: wanted, text: text.answer.text, hits: new Map() };
      await afterOpening();
      if (signal.aborted) return undefined;
      // A run that recorded only what one question needs has no counts; its text is shown all the same.
      return ask<SourceTextJson>({ kind: 'source', file: wanted }, { run, signal }).catch(() => text);
    })
    .then((reply) => {
      if (reply) keep(key, { file: wanted, text: reply.answer.text, hits: new Map(reply.answer.hits) });
    })
    .catch((error: Error) => keep(key, { file: wanted, text: '', hits: new Map(), problem: error.message }));
});

function keep(key: string, shown: ShownSource): void {
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!);
  kept.set(key, shown);
  source.value = shown;
}
