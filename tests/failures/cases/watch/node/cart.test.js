const test = require('node:test');
const assert = require('node:assert');
const { total } = require('./shop.js');

test('adds up the lines', () => {
  assert.strictEqual(total([{ price: 3, pieces: 2 }]), 6);
});
test('waits', async () => {
  await new Promise((resolve) => setTimeout(resolve, LONG));
  assert.strictEqual(total([]), 0);
});
