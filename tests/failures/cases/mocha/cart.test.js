const assert = require('node:assert');
const { total, refuse } = require('./shop.js');

describe('cart', () => {
  describe('total', () => {
    it('refuses what there is none of', () => {
      assert.throws(() => refuse('coupon'), RangeError);
      try {
        refuse('till');
      } catch {}
    });
    it('adds up the lines', () => {
      const sum = total([{ price: 3, pieces: 2 }]);
      assert.strictEqual(sum, 6);
    });
    for (const pieces of [0, 1]) {
      it(`costs nothing at ${pieces}`, () => {
        assert.ok(pieces < 1);
      });
    }
    it.skip('is not ready', () => {});
  });
  let tries = 0;
  it('is tried again', function () {
    this.retries(2);
    if (tries++ < 2) refuse('luck');
  });
  it('waits', async () => {
    await null;
    refuse('time');
  });
});

it('calls back', (done) => {
  setImmediate(() => done(new Error('called back')));
});
