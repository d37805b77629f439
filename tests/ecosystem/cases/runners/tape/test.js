const test = require('tape');

test('adds', (t) => { t.plan(2); t.equal(1 + 1, 2); setTimeout(() => t.equal(1 + 1, 3, 'wrong'), 1); });
test('compares', (t) => { t.deepEqual({ a: [1, 2] }, { a: [1, 3] }); t.throws(() => { throw new Error('x'); }, /y/); t.end(); });
