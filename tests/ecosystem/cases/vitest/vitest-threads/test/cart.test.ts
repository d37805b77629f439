import { describe, expect, it } from 'vitest';
import { Cart } from '../src/cart';

describe('Cart', () => {
  const make = () => new Cart({ pen: 4, book: 30 });
  it('adds up', () => expect(make().add('pen').total).toBe(5));
  it('equals', () => expect(make().add('pen').lines).toEqual([{ name: 'pen', count: 2, price: 4 }]));
  it('throws', () => { make().add('car'); });
  it('rejects', async () => { await null; throw new TypeError('rejected'); });
  it('reads', () => { (make() as any).nothing.here; });
});
