const assert = require('node:assert');

it('refuses', () => {
  assert.throws(() => {
    throw new RangeError('no');
  });
});
it('adds', () => assert.strictEqual(1 + 1, 2));
it.skip('is not ready', () => {});
