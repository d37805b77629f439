// The chain: questions and their answers, each hung on the one that it was asked of, from the failure back to the defect. Each run has
// its own, which is kept with it.
import { computed, effect, signal } from '@preact/signals';
import { Refusal, request } from '../api/client';
import { type Card, inTree, isSame, moved, without } from './cards';
import { type Keeper, KeptChain, type Revised } from './keptChain';
import { runName } from './address';
import { complain } from './said';

export type { Card, CardKind, Placed } from './cards';

/** In the order in which they are shown: each behind the one that it was asked of. */
export const placed = computed(() => inTree(all.value));
export const cards = computed(() => placed.value.map((one) => one.card));
/** The card that is looked at: a question that is asked next is hung on it. */
export const chosen = signal<string | undefined>(undefined);
/** Grows when a card was added or asked for again: the page then brings the chosen one into view. */
export const added = signal(0);

const all = signal<Card[]>([]);
/** By run. The chain of a run that was left goes on being written. */
const chains = new Map<string | undefined, KeptChain>();

function chainOf(run: string | undefined): KeptChain {
  const known = chains.get(run);
  if (known) return known;
  const show = (): void => {
    if (runName.peek() === run) all.value = made.cards;
  };
  const made = new KeptChain(keeperOf(run), show, complain);
  chains.set(run, made);
  return made;
}

effect(() => {
  const chain = chainOf(runName.value);
  all.value = chain.cards;
  chosen.value = undefined;
  void chain.load();
});

/** When what is kept of the chain of the run that is shown has been read. */
export const chainRead = (): Promise<void> => chainOf(runName.peek()).load();

addEventListener('focus', () => void chainOf(runName.peek()).load());

function keeperOf(run: string | undefined): Keeper {
  const path = `/api/runs/${run ?? 'first'}/chain`;
  const revisionOf = (response: Response): number => Number(response.headers.get('etag')?.replaceAll('"', '') ?? 0);
  return {
    async read(): Promise<Revised> {
      const response = await request('GET', path);
      return { cards: ((await response.json()) as Card[] | null) ?? [], revision: revisionOf(response) };
    },
    async write(cards, basedOn) {
      try {
        return revisionOf(await request('PUT', path, JSON.stringify(cards), { 'if-match': `"${basedOn}"` }));
      } catch (error) {
        if (error instanceof Refusal && error.id === 'conflict') return undefined;
        throw error;
      }
    },
  };
}

const current = (): KeptChain => chainOf(runName.peek());

/** Adds a card behind the one that it was asked of, and looks at it. */
export function add(card: Omit<Card, 'id'>): Card {
  const known = all.peek().find((one) => isSame(one, card));
  const made: Card = known ?? { ...card, id: crypto.randomUUID().slice(0, 8) };
  if (!known) current().change((cards) => [...cards, made]);
  chosen.value = made.id;
  added.value += 1;
  return made;
}

export function change(id: string, to: Partial<Card>): void {
  current().change((cards) => cards.map((card) => (card.id === id ? { ...card, ...to } : card)));
}

export function remove(id: string): void {
  const gone = all.peek().find((card) => card.id === id);
  if (!gone) return;
  if (chosen.peek() === id) chosen.value = gone.parent;
  current().change((cards) => without(cards, id));
}

export function move(id: string, by: -1 | 1): void {
  current().change((cards) => moved(cards, id, by));
}

export function clear(): void {
  chosen.value = undefined;
  current().change(() => []);
}
