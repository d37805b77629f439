// Cards of the chain as plain data: their tree, and how two pages' changes become one.
import type { PointJson, ValueJson } from '../api/types';

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

/** A card where it stands in the tree. */
export interface Placed {
  card: Card;
  depth: number;
}

/** Each card behind the one that it was asked of, in the order in which they were asked. A card whose parent is gone is a root. */
export function inTree(cards: Card[]): Placed[] {
  const ids = new Set(cards.map((card) => card.id));
  const children = new Map<string | undefined, Card[]>();
  for (const card of cards) {
    const parent = card.parent !== undefined && ids.has(card.parent) ? card.parent : undefined;
    children.set(parent, [...(children.get(parent) ?? []), card]);
  }
  const placed: Placed[] = [];
  const seen = new Set<string>();
  const add = (card: Card, depth: number): void => {
    if (seen.has(card.id)) return;
    seen.add(card.id);
    placed.push({ card, depth });
    children.get(card.id)?.forEach((child) => add(child, depth + 1));
  };
  children.get(undefined)?.forEach((card) => add(card, 0));
  // Cards that hang on each other in a circle, which only a damaged file has.
  cards.forEach((card) => add(card, 0));
  return placed;
}

/** Without a card; what hung on it hangs on what it hung on. */
export function without(cards: Card[], id: string): Card[] {
  const gone = cards.find((card) => card.id === id);
  if (!gone) return cards;
  return cards.filter((card) => card.id !== id).map((card) => (card.parent === id ? { ...card, parent: gone.parent } : card));
}

/** With a card moved before or behind its neighbour that hangs on the same card. */
export function moved(cards: Card[], id: string, by: -1 | 1): Card[] {
  const card = cards.find((one) => one.id === id);
  if (!card) return cards;
  const siblings = cards.filter((one) => one.parent === card.parent);
  const other = siblings[siblings.indexOf(card) + by];
  if (!other) return cards;
  return cards.map((one) => (one === card ? other : one === other ? card : one));
}

/** Whether a question was asked and answered before. */
export function isSame(one: Card, other: Omit<Card, 'id'>): boolean {
  return (
    one.kind === other.kind &&
    one.title === other.title &&
    one.parent === other.parent &&
    one.run === other.run &&
    one.point?.event === other.point?.event &&
    one.point?.thread === other.point?.thread
  );
}

/**
 * What two pages made of the same chain, as one: `base` is what both began with. What either added is there, what either took away
 * is not, and where both changed one field of a card, ours counts.
 */
export function merged(base: Card[], ours: Card[], theirs: Card[]): Card[] {
  const byId = (cards: Card[]): Map<string, Card> => new Map(cards.map((card) => [card.id, card]));
  const [before, our, their] = [byId(base), byId(ours), byId(theirs)];
  const kept: Card[] = [];
  for (const card of theirs) {
    const mine = our.get(card.id);
    if (mine) kept.push(mergedCard(before.get(card.id), mine, card));
    else if (!before.has(card.id)) kept.push(card);
  }
  const added = ours.filter((card) => !their.has(card.id) && !before.has(card.id));
  const all = [...ordered(kept, base, ours), ...added];
  // What hung on a card that the other page took away hangs on what that one hung on.
  const ids = new Set(all.map((card) => card.id));
  const parentOf = (id: string | undefined): string | undefined => {
    const seen = new Set<string>();
    while (id !== undefined && !ids.has(id) && !seen.has(id)) {
      seen.add(id);
      id = (before.get(id) ?? our.get(id) ?? their.get(id))?.parent;
    }
    return id !== undefined && ids.has(id) ? id : undefined;
  };
  return all.map((card) => (card.parent === undefined || ids.has(card.parent) ? card : { ...card, parent: parentOf(card.parent) }));
}

/** Field by field: what we changed is ours, and the rest theirs. */
function mergedCard(before: Card | undefined, ours: Card, theirs: Card): Card {
  const result = { ...theirs } as Record<string, unknown>;
  for (const name of new Set([...Object.keys(ours), ...Object.keys(before ?? {})])) {
    const [mine, was] = [ours[name as keyof Card], before?.[name as keyof Card]];
    if (JSON.stringify(mine) !== JSON.stringify(was)) result[name] = mine;
  }
  return result as unknown as Card;
}

/** In our order if we changed it, else in theirs. */
function ordered(kept: Card[], base: Card[], ours: Card[]): Card[] {
  const ids = (cards: Card[], among: Set<string>): string[] => cards.map((card) => card.id).filter((id) => among.has(id));
  const common = new Set(ids(base, new Set(ours.map((card) => card.id))));
  const isReordered = ids(base, common).join() !== ids(ours, common).join();
  if (!isReordered) return kept;
  const rank = new Map(ours.map((card, index) => [card.id, index]));
  const known = kept.filter((card) => rank.has(card.id)).sort((one, other) => rank.get(one.id)! - rank.get(other.id)!);
  return kept.map((card) => (rank.has(card.id) ? known.shift()! : card));
}
