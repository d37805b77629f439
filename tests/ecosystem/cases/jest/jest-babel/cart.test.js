import { Cart } from './cart';

jest.mock('node:os', () => ({ hostname: () => 'mocked' }));

describe('Cart', () => {
  test('adds up', () => expect(new Cart({ pen: 4 }).add('pen').total()).toBe(4));
  test('snapshot', () => expect(new Cart({ pen: 4 }).add('pen')).toMatchSnapshot());
  test('inline', () => expect(new Cart({ pen: 4 }).add('pen').lines).toEqual([expect.objectContaining({ price: 4 })]));
  test('mocks', () => {
    const f = jest.fn((x) => x + 1);
    expect([1, 2].map((x) => f(x))).toEqual([2, 3]);
    expect(f).toHaveBeenCalledTimes(2);
    expect(require('node:os').hostname()).toBe('mocked');
  });
  test('fake timers', () => {
    jest.useFakeTimers();
    const late = jest.fn();
    setTimeout(late, 1000);
    jest.runAllTimers();
    expect(late).toHaveBeenCalled();
    jest.useRealTimers();
  });
  test.each([[1, 2], [3, 4]])('each %i', (a, b) => expect(a + 1).toBe(b));
});
