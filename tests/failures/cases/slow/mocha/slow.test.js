const assert = require('node:assert');

it('never ends', () => new Promise(() => {}));
it('compares', () => {
  assert.strictEqual('Timeout of 20ms exceeded', 'timed out');
});
