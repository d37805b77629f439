export interface Line { name: string; count: number; price: number }

export class Cart {
  readonly lines: Line[] = [];
  constructor(private readonly prices: Record<string, number>) {}

  add(name: string, count = 1): this {
    const price = this.prices[name];
    if (price === undefined) throw new RangeError(`there is no ${name}`);
    this.lines.push({ name, count, price });
    return this;
  }

  get total(): number {
    return this.lines.reduce((sum, line) => sum + line.price * line.count, 0);
  }
}

export enum Kind { Cash, Card = 5 }

