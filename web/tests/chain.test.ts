// The chain: its tree, and that no card is lost when two pages write it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Card, inTree, isSame, merged, moved, without } from '../src/state/cards';
import { type Keeper, KeptChain, type Revised } from '../src/state/keptChain';

const card = (id: string, parent?: string, more: Partial<Card> = {}): Card => ({ id, parent, kind: 'hop', title: id, ...more });
const ids = (cards: Card[]): string => cards.map((one) => one.id).join(' ');
const drawn = (cards: Card[]): string => inTree(cards).map(({ card, depth }) => `${'.'.repeat(depth)}${card.id}`).join(' ');

test('a card stands behind the one that it was asked of, however late it came', () => {
  assert.equal(drawn([card('a'), card('b', 'a'), card('c', 'a'), card('d', 'b'), card('e')]), 'a .b ..d .c e');
});

test('a card whose parent is gone is a root, and a circle ends', () => {
  assert.equal(drawn([card('a', 'gone'), card('b', 'a')]), 'a .b');
  assert.equal(drawn([card('a', 'b'), card('b', 'a')]), 'a .b');
});

test('what hung on a card that is removed hangs on what that one hung on', () => {
  assert.equal(drawn(without([card('a'), card('b', 'a'), card('c', 'b')], 'b')), 'a .c');
  assert.equal(drawn(without([card('a'), card('b', 'a')], 'a')), 'b');
});

test('a card is moved among those that hang on the same one', () => {
  const cards = [card('a'), card('b', 'a'), card('c', 'b'), card('d', 'a')];
  assert.equal(drawn(moved(cards, 'd', -1)), 'a .d .b ..c');
  assert.equal(drawn(moved(cards, 'b', 1)), 'a .d .b ..c');
  assert.equal(moved(cards, 'a', 1), cards);
});

test('the same question of the same card is the same card', () => {
  const point = { event: 5, thread: 1 } as Card['point'];
  assert.ok(isSame(card('x', 'a', { title: 't', point }), { parent: 'a', kind: 'hop', title: 't', point }));
  assert.ok(!isSame(card('x', 'a', { title: 't', point }), { parent: 'b', kind: 'hop', title: 't', point }));
});

test('merged: what either added is there, what either removed is not', () => {
  const base = [card('a'), card('b', 'a'), card('c', 'a')];
  const ours = [card('a'), card('c', 'a'), card('ours', 'c')];
  const theirs = [card('a'), card('b', 'a'), card('theirs', 'b')];
  assert.equal(drawn(merged(base, ours, theirs)), 'a .theirs .ours');
});

test('merged: both changed one card, each another field', () => {
  const base = [card('a', undefined, { note: 'old' })];
  const [one] = merged(base, [card('a', undefined, { note: 'old', name: 'mine' })], [card('a', undefined, { note: 'new' })]);
  assert.deepEqual(one, card('a', undefined, { note: 'new', name: 'mine' }));
});

test('merged: our order counts if we changed it', () => {
  const base = [card('a'), card('b')];
  assert.equal(ids(merged(base, [card('b'), card('a')], [card('a'), card('b'), card('c')])), 'b a c');
  assert.equal(ids(merged(base, [card('a'), card('b'), card('d')], [card('b'), card('a')])), 'b a d');
});

test('merged: of any changes on both sides nothing that was added is lost, and nothing that was removed comes back', () => {
  let seed = 1;
  const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
  for (let round = 0; round < 2_000; round++) {
    const base = Array.from({ length: random(5) }, (_, i) => card(`b${i}`, i > 0 && random(2) ? `b${random(i)}` : undefined));
    const side = (name: string): Card[] => {
      let cards = base;
      for (let n = random(4); n > 0; n--) {
        const any = cards[random(Math.max(1, cards.length))];
        const act = random(3);
        if (act === 0 || !any) cards = [...cards, card(`${name}${round}-${n}`, any?.id)];
        else if (act === 1) cards = without(cards, any.id);
        else cards = moved(cards, any.id, random(2) ? 1 : -1);
      }
      return cards;
    };
    const [ours, theirs] = [side('o'), side('t')];
    const result = merged(base, ours, theirs);
    const has = (cards: Card[], id: string): boolean => cards.some((one) => one.id === id);
    const wanted = [...new Set([...base, ...ours, ...theirs].map((one) => one.id))].filter((id) => has(base, id) ? has(ours, id) && has(theirs, id) : true);
    assert.deepEqual(result.map((one) => one.id).sort(), wanted.sort());
    for (const one of result) assert.ok(one.parent === undefined || has(result, one.parent), 'a parent that is there');
  }
});

/** What a server keeps; each answer comes when the test says so, or at once. */
class Server {
  kept: Revised = { cards: [], revision: 0 };
  waiting: (() => void)[] = [];
  isSlow = false;

  keeper(): Keeper {
    const answer = async <T>(of: () => T): Promise<T> => {
      if (this.isSlow) await new Promise<void>((resolve) => this.waiting.push(resolve));
      return of();
    };
    return {
      read: () => answer(() => structuredClone(this.kept)),
      write: (cards, basedOn) =>
        answer(() => {
          if (basedOn !== this.kept.revision) return undefined;
          this.kept = { cards: structuredClone(cards), revision: basedOn + 1 };
          return this.kept.revision;
        }),
    };
  }

  /** Lets everything that waits go on, until nothing does. */
  async flush(): Promise<void> {
    for (let idle = 0; idle < 20; idle++) {
      const [next] = this.waiting.splice(0, 1);
      if (next) {
        next();
        idle = 0;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

const adding = (id: string) => (cards: Card[]) => [...cards, card(id)];

test('two pages that save at once keep the cards of both', async () => {
  const server = new Server();
  const [one, other] = [new KeptChain(server.keeper()), new KeptChain(server.keeper())];
  await Promise.all([one.load(), other.load()]);
  server.isSlow = true;
  one.change(adding('one'));
  other.change(adding('other'));
  await server.flush();
  assert.deepEqual(server.kept.cards.map((kept) => kept.id).sort(), ['one', 'other']);
});

test('a card that is added while a conflict is being resolved is kept', async () => {
  const server = new Server();
  const page = new KeptChain(server.keeper());
  await page.load();
  server.kept = { cards: [card('theirs')], revision: 7 };
  server.isSlow = true;
  page.change(adding('first'));
  for (let n = 0; n < 6; n++) {
    // In each gap between an answer and the next question.
    await new Promise((resolve) => setImmediate(resolve));
    page.change(adding(`late${n}`));
    server.waiting.shift()?.();
  }
  await server.flush();
  assert.deepEqual(server.kept.cards.map((kept) => kept.id).sort(), ['first', 'late0', 'late1', 'late2', 'late3', 'late4', 'late5', 'theirs']);
  assert.equal(ids(page.cards), ids(server.kept.cards));
});

test('a card that is added before the chain was read is kept', async () => {
  const server = new Server();
  server.kept = { cards: [card('theirs')], revision: 3 };
  server.isSlow = true;
  const page = new KeptChain(server.keeper());
  void page.load();
  page.change(adding('ours'));
  await server.flush();
  assert.equal(ids(server.kept.cards), 'theirs ours');
});

test('a card that was not saved yet survives another read', async () => {
  const server = new Server();
  const page = new KeptChain(server.keeper());
  await page.load();
  server.isSlow = true;
  page.change(adding('ours'));
  void page.load();
  server.kept = { cards: [card('theirs')], revision: 1 };
  await server.flush();
  assert.deepEqual(server.kept.cards.map((kept) => kept.id).sort(), ['ours', 'theirs']);
  assert.deepEqual(page.cards.map((kept) => kept.id).sort(), ['ours', 'theirs']);
});

test('a save that failed is made good by the next', async () => {
  const server = new Server();
  const keeper = server.keeper();
  let fails = true;
  const problems: unknown[] = [];
  const page = new KeptChain(
    { read: keeper.read, write: (cards, basedOn) => (fails ? Promise.reject(new Error('away')) : keeper.write(cards, basedOn)) },
    () => {},
    (problem) => problems.push(problem),
  );
  await page.load();
  page.change(adding('a'));
  await server.flush();
  assert.equal(problems.length, 1);
  fails = false;
  page.change(adding('b'));
  await server.flush();
  assert.equal(ids(server.kept.cards), 'a b');
});

test('many pages that save at random moments lose nothing', async () => {
  for (let seed = 1; seed < 40; seed++) {
    let state = seed;
    const random = (below: number): number => (state = (state * 48271) % 2147483647) % below;
    const server = new Server();
    const pages = Array.from({ length: 3 }, () => new KeptChain(server.keeper()));
    server.isSlow = true;
    const made: string[] = [];
    for (let n = 0; n < 60; n++) {
      const page = pages[random(3)]!;
      if (random(4) === 0) void page.load();
      else if (random(3) === 0) page.change(adding((made.push(`c${n}`), `c${n}`)));
      server.waiting.splice(random(Math.max(1, server.waiting.length)), 1).forEach((go) => go());
      await new Promise((resolve) => setImmediate(resolve));
    }
    await server.flush();
    assert.deepEqual(server.kept.cards.map((kept) => kept.id).sort(), made.sort(), `seed ${seed}`);
  }
});
