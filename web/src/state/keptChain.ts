// The chain of one run, and the copy of it that is kept with the run. Everything that is read or written goes through one queue, and
// what comes in is merged with what is there, so a card is lost neither to another page nor to a slow answer.
import { type Card, merged } from './cards';

export interface Revised {
  cards: Card[];
  revision: number;
}

/** Where the chain is kept. */
export interface Keeper {
  read(): Promise<Revised>;
  /** Gives the new revision; nothing if it rests on an older one than is kept. */
  write(cards: Card[], basedOn: number): Promise<number | undefined>;
}

export class KeptChain {
  cards: Card[] = [];
  /** As it is kept, as far as we know. */
  #kept: Revised = { cards: [], revision: 0 };
  #queue: Promise<void> = Promise.resolve();

  constructor(
    readonly keeper: Keeper,
    readonly onChange: () => void = () => {},
    readonly onProblem: (error: unknown) => void = () => {},
  ) {}

  /** Changes it at once, and what is kept as soon as that can be. */
  change(to: (cards: Card[]) => Card[]): void {
    this.cards = to(this.cards);
    this.onChange();
    void this.#then(() => this.#write());
  }

  /** Brings in what others wrote. */
  load(): Promise<void> {
    return this.#then(async () => {
      this.#take(await this.keeper.read());
    });
  }

  #then(work: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(work).catch(this.onProblem);
    return this.#queue;
  }

  #take(theirs: Revised): void {
    if (theirs.revision < this.#kept.revision) return;
    const next = merged(this.#kept.cards, this.cards, theirs.cards);
    const isOther = JSON.stringify(next) !== JSON.stringify(this.cards);
    this.#kept = theirs;
    if (!isOther) return;
    this.cards = next;
    this.onChange();
  }

  async #write(): Promise<void> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const cards = this.cards;
      if (JSON.stringify(cards) === JSON.stringify(this.#kept.cards)) return;
      const revision = await this.keeper.write(cards, this.#kept.revision);
      if (revision !== undefined) {
        this.#kept = { cards, revision };
        return;
      }
      this.#take(await this.keeper.read());
    }
    throw new Error('the chain could not be kept: other pages change it all the time');
  }
}

const MOST_ATTEMPTS = 20;
