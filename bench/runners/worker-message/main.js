'use strict';
const assert = require('node:assert');
const { ask } = require('./pool');

async function main() {
  assert.deepStrictEqual(await ask({ amount: 10, people: ['ann'] }), { ann: 10 });
  const shares = await ask({ amount: 100, people: ['ann', 'bob', 'cy'], parts: [5, 3] });
  assert.deepStrictEqual(shares, { ann: 50, bob: 30, cy: 20 });
}

main();
