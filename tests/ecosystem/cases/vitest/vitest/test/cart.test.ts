import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Cart, Kind } from '../src/cart';

describe('Cart', () => {
  let cart: Cart;
  beforeEach(() => { cart = new Cart({ pen: 4, book: 30 }); });
  it('adds up', () => expect(cart.add('pen').total).toBe(4));
  it('snapshot', () => expect(cart.add('pen').lines).toMatchInlineSnapshot(`
    [
      {
        "count": 1,
        "name": "pen",
        "price": 4,
      },
    ]
  `));
  it('spies', () => {
    const spy = vi.spyOn(cart, 'add');
    cart.add('book');
    expect(spy).toHaveBeenCalledWith('book');
  });
  it('has timers', () => {
    vi.useFakeTimers();
    const late = vi.fn();
    setTimeout(late, 1000);
    vi.advanceTimersByTime(1000);
    expect(late).toHaveBeenCalledOnce();
    vi.useRealTimers();
  });
  it('has kinds', () => expect(Kind[Kind.Card]).toBe('Card'));
});
