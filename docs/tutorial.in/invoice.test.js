const test = require('node:test');
const assert = require('node:assert/strict');
const { invoice } = require('./invoice');

const lines = [{ price: 15, count: 2 }, { price: 5, count: 4 }];

test('a member pays ten per cent less', () => {
  assert.equal(invoice({ name: 'Ada', isMember: true }, lines).total, 45);
});

test('a guest pays the full price', () => {
  assert.equal(invoice({ name: 'Bob', isMember: false }, lines).total, 50);
});
