const { total, refuse } = require('../shop.js');

describe('cart', () => {
  describe('total', () => {
    it('refuses what there is none of', () => {
      expect(() => refuse('coupon')).toThrow();
    });
    it('adds up the lines', () => {
      const sum = total([{ price: 3, pieces: 2 }]);
      expect(sum).toBe(6);
    });
    for (const pieces of [0, 1]) {
      it(`costs nothing at ${pieces}`, () => {
        expect(pieces < 1).toBeTrue();
      });
    }
    xit('is not ready', () => {});
  });
  it('waits', async () => {
    await null;
    refuse('time');
  });
});
