const test = require('node:test');
const assert = require('node:assert');

test('holds', () => {});
test('is equal', () => assert.deepStrictEqual({ a: 1 }, { a: 2 }));
