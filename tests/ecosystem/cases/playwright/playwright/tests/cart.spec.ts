import { expect, test } from '@playwright/test';

const total = (prices: number[]): number => prices.reduce((a, b) => a + b, 0);

test('adds up', () => expect(total([4, 30])).toBe(34));
test('fails', () => expect(total([4, 30])).toBe(35));
test('compares', () => expect({ a: [1, { b: 2 }] }).toEqual({ a: [1, { b: 3 }] }));
test.describe('steps', () => {
  test('throws', async () => { await test.step('inner', async () => { throw new RangeError('a defect'); }); });
  test.skip('is skipped', () => {});
  test('is soft', () => { expect.soft(1).toBe(2); expect.soft('a').toContain('b'); });
});
const shop = test.extend<{ items: string[] }>({ items: async ({}, use) => { await use(['pen']); } });
shop('has a fixture', ({ items }) => expect(items).toHaveLength(1));
