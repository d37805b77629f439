import { Cart } from './cart';

describe('Cart', () => {
  test('adds up', () => expect(new Cart({ pen: 4 }).add('pen').total()).toBe(5));
  test('equal', () => expect(new Cart({ pen: 4 }).add('pen').lines).toEqual([{ name: 'pen', count: 2, price: 4 }]));
  test('throws', () => new Cart({}).add('pen'));
  test('expects a throw', () => expect(() => new Cart({})).toThrow(RangeError));
  test('rejects', async () => { await null; undefined.foo(); });
  test('resolves', () => expect(Promise.resolve(1)).resolves.toBe(2));
  test('calls back', (done) => setImmediate(() => done(new Error('handed on'))));
  test('called', () => { const f = jest.fn(); f(1, { a: 2 }); expect(f).toHaveBeenCalledWith(1, { a: 3 }); });
});
