import { expect, it } from 'vitest';
import shop from './shop.cjs';

it('adds up the lines', () => {
  expect(shop.total([{ price: 3, pieces: 2 }])).toBe(6);
});
it('waits', async () => {
  await new Promise((resolve) => setTimeout(resolve, LONG));
  expect(shop.total([])).toBe(0);
}, 20000);
