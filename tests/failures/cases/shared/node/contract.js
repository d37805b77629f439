const assert = require('node:assert');
const { test } = require('node:test');

// The same tests for each implementation, from files of their own.
exports.contract = (name, add) => {
  test('adds', () => {
    assert.equal(add(1, 2), 3, name);
  });
  test('adds nothing', () => {
    assert.equal(add(1, 0), 1, name);
  });
};
