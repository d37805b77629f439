const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const { test } = require('node:test');

// What a test starts is no file of tests, however it ends.
test('refuses what it does not know', () => {
  assert.equal(spawnSync(process.execPath, ['refuses.js'], { cwd: __dirname }).status, 1);
});
