import test from 'ava';

test('holds', (t) => t.pass());
test('is equal', (t) => {
  t.deepEqual({ a: 1 }, { a: 2 });
});
