const test = require('node:test');
const assert = require('node:assert');

test('never ends', { timeout: 60 }, () => new Promise((resolve) => setTimeout(resolve, 300)));
test('compares', () => {
  assert.strictEqual('Timeout of 20ms exceeded', 'timed out');
});
