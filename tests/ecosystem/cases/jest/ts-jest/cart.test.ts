import { Cart, Kind } from './cart';

describe('Cart', () => {
  it('adds up', () => expect(new Cart({ pen: 4 }).add('pen').total).toBe(4));
  it('fails', () => expect(new Cart({ pen: 4 }).add('pen', 2).total).toBe(4));
  it('throws', () => { new Cart({}).add('pen'); });
  it('has kinds', () => expect(Kind[5]).toBe('Card'));
});
