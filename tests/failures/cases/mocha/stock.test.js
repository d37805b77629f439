const assert = require('node:assert');

describe('stock', () => {
  before(() => {
    throw new Error('no stock');
  });
  it('never runs', () => {});
});

describe('shelf', () => {
  it('holds', () => {});
  it('is equal', () => assert.deepStrictEqual({ a: 1 }, { a: 2 }));
});
