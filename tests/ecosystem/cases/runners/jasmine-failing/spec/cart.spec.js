const { Cart } = require('../cart');

describe('Cart', () => {
  it('adds up', () => expect(new Cart({ pen: 4 }).add('pen', 3).total()).toBe(13));
  it('compares', () => expect(new Cart({ pen: 4 }).add('pen').lines).toEqual([{ name: 'pen', count: 2, price: 4 }]));
  it('throws', () => new Cart({}).add('pen'));
  it('throws late', async () => { await null; null.f(); });
  it('calls back', (done) => setTimeout(() => done.fail(new Error('handed on')), 1));
  it('expects a throw', () => expect(() => new Cart({})).toThrowError(TypeError));
});
