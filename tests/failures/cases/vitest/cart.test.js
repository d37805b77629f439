import { describe, expect, it } from 'vitest';
import shop from './shop.cjs';

const { total, refuse } = shop;

describe('cart', () => {
  describe('total', () => {
    it('refuses what there is none of', () => {
      expect(() => refuse('coupon')).toThrow(RangeError);
      try {
        refuse('till');
      } catch {}
    });
    it('adds up the lines', () => {
      const sum = total([{ price: 3, pieces: 2 }]);
      expect(sum).toBe(6);
    });
    it.each([0, 1])('costs nothing at %i', (pieces) => {
      expect(pieces).toBeLessThan(1);
    });
    it.skip('is not ready', () => {});
    it.todo('is to be written');
  });
  let tries = 0;
  it('is tried again', { retry: 2 }, () => {
    if (tries++ < 2) refuse('luck');
  });
  it('waits', async () => {
    await null;
    refuse('time');
  });
});
