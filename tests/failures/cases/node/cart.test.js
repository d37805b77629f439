const { describe, it, test, before } = require('node:test');
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
      it('costs nothing', () => {
        assert.ok(pieces < 1);
      });
    }
    it.skip('is not ready', () => {});
    it.todo('is to be written');
  });
  it('waits', async () => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    refuse('time');
  });
});

test('parent', async (t) => {
  await t.test('child', () => refuse('child'));
});

describe('stock', () => {
  before(() => {
    throw new Error('no stock');
  });
  it('never runs', () => {});
});

test('calls back', (t, done) => {
  setImmediate(() => done(new Error('called back')));
});
