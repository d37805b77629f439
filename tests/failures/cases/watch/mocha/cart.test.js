const assert = require('node:assert');
const { total } = require('./shop.js');

it('adds up the lines', () => {
  assert.strictEqual(total([{ price: 3, pieces: 2 }]), 6);
});
it('waits', async function () {
  this.timeout(0);
  await new Promise((resolve) => setTimeout(resolve, LONG));
  assert.strictEqual(total([]), 0);
});
