const { price } = require('./shop.js');
const assert = require('node:assert');

it('costs', () => assert.strictEqual(price('pen'), 3));
it('refuses', () => {
  assert.throws(() => price('ink'));
});
