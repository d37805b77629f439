// The chain: questions and their answers, each hung on the one that it was asked of, from the failure back to the defect. It is kept
// with the run; of two pages that write at once neither loses a card.
import { effect, signal } from '@preact/signals';
import { Refusal, request } from '../api/client';
import type { PointJson, ValueJson } from '../api/types';
import { address, runName } from './address';
import { complain } from './said';

export type CardKind =
  | 'failure'
  | 'mark'
  | 'last-change'
  | 'last-condition'
  | 'birth'
  | 'why'
  | 'omission'
  | 'why-not'
  | 'found'
  | 'hop';

export interface Card {
  id: string;
  /** The card that it was asked of. */
  parent?: string;
  kind: CardKind;
  /** What was asked, in words: `last change of total`. */
  title: string;
  /** What was answered, in words. */
  text?: string;
  point?: PointJson;
  /** The run that the point is of, if it is another: the program was run again for the question. */
  run?: string;
  place?: string;
  old?: ValueJson;
  new?: ValueJson;
  /** What the person says about it. */
  name?: string;
  note?: string;
}

export const cards = signal<Card[]>([]);
/** The card that is looked at: a question that is asked next is hung on it. */
export const chosen = signal<string | undefined>(undefined);

let revision = 0;
let saved = '[]';
let loadedFor: string | undefined | null = null;

const path = (run: string | undefined): string => `/api/runs/${run ?? 'first'}/chain`;

effect(() => {
  const run = runName.value;
  if (run === loadedFor) return;
  loadedFor = run;
  cards.value = [];
  chosen.value = undefined;
  void load(run);
});

addEventListener('focus', () => void load(address.peek().run));

async function load(run: string | undefined): Promise<void> {
  try {
    const response = await request('GET', path(run));
    const kept = ((await response.json()) as Card[] | null) ?? [];
    if (loadedFor !== run) return;
    const isOther = revisionOf(response) !== revision || cards.peek().length === 0;
    revision = revisionOf(response);
    if (!isOther) return;
    saved = JSON.stringify(kept);
    cards.value = kept;
  } catch (error) {
    complain(error);
  }
}

/** Adds a card behind the one that it was asked of, and looks at it. */
export function add(card: Omit<Card, 'id'>): Card {
  const known = cards.value.find((one) => isSame(one, card));
  if (known) {
    chosen.value = known.id;
    return known;
  }
  const made: Card = { ...card, id: crypto.randomUUID().slice(0, 8) };
  cards.value = [...cards.value, made];
  chosen.value = made.id;
  save();
  return made;
}

export function change(id: string, to: Partial<Card>): void {
  cards.value = cards.value.map((card) => (card.id === id ? { ...card, ...to } : card));
  save();
}

/** What hung on it hangs on what it hung on. */
export function remove(id: string): void {
  const gone = cards.value.find((card) => card.id === id);
  if (!gone) return;
  cards.value = cards.value
    .filter((card) => card.id !== id)
    .map((card) => (card.parent === id ? { ...card, parent: gone.parent } : card));
  if (chosen.value === id) chosen.value = gone.parent;
  save();
}

export function move(id: string, by: number): void {
  const from = cards.value.findIndex((card) => card.id === id);
  const to = from + by;
  if (from < 0 || to < 0 || to >= cards.value.length) return;
  const order = [...cards.value];
  order.splice(to, 0, ...order.splice(from, 1));
  cards.value = order;
  save();
}

export function clear(): void {
  cards.value = [];
  chosen.value = undefined;
  save();
}

/** How deep a card hangs, and which number it shows. */
export function depthOf(card: Card, all: Card[]): number {
  let depth = 0;
  for (let at: Card | undefined = card; at?.parent && depth < all.length; depth++) {
    at = all.find((one) => one.id === at!.parent);
  }
  return depth;
}

function isSame(one: Card, other: Omit<Card, 'id'>): boolean {
  return (
    one.kind === other.kind &&
    one.title === other.title &&
    one.parent === other.parent &&
    one.run === other.run &&
    one.point?.event === other.point?.event &&
    one.point?.thread === other.point?.thread
  );
}

let saving = Promise.resolve();

function save(): void {
  const run = address.peek().run;
  saving = saving.then(() => write(run)).catch(complain);
}

async function write(run: string | undefined): Promise<void> {
  const text = JSON.stringify(cards.peek());
  if (text === saved || run !== loadedFor) return;
  try {
    const response = await request('PUT', path(run), text, { 'if-match': `"${revision}"` });
    revision = revisionOf(response);
    saved = text;
  } catch (error) {
    if (!(error instanceof Refusal) || error.id !== 'conflict') throw error;
    await merge(run);
  }
}

/** Another page has written: its cards stay, ours are added, what we took away goes. */
async function merge(run: string | undefined): Promise<void> {
  const before = JSON.parse(saved) as Card[];
  const ours = cards.peek();
  const response = await request('GET', path(run));
  const theirs = ((await response.json()) as Card[] | null) ?? [];
  revision = revisionOf(response);
  saved = JSON.stringify(theirs);
  const taken = new Set(before.filter((card) => !ours.some((one) => one.id === card.id)).map((card) => card.id));
  const kept = theirs.filter((card) => !taken.has(card.id)).map((card) => ours.find((one) => one.id === card.id) ?? card);
  cards.value = [...kept, ...ours.filter((card) => !theirs.some((one) => one.id === card.id))];
  await write(run);
}

const revisionOf = (response: Response): number => Number(response.headers.get('etag')?.replaceAll('"', '') ?? 0);
