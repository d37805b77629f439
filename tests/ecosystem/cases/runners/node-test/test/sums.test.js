const { test, describe, it, mock, before } = require('node:test');
const assert = require('node:assert/strict');

test('adds', () => assert.equal(1 + 1, 2));
test('fails', () => assert.equal([1, 2].reduce((a, b) => a + b), 4));
test('compares', () => assert.deepEqual({ a: { b: [1, 2] } }, { a: { b: [1, 3] } }));
test('is async', async (t) => {
  await t.test('inside', () => { throw new TypeError('a defect'); });
  t.diagnostic('said');
});
describe('group', () => {
  before(() => mock.method(Math, 'random', () => 0.5));
  it('mocks', () => assert.equal(Math.random(), 0.5));
  it('is skipped', { skip: 'not now' }, () => {});
  it('is to do', { todo: true }, () => assert.fail('not yet'));
});
