const t = require('tap');

t.test('holds', (t) => t.end());
t.test('is equal', (t) => {
  t.same({ a: 1 }, { a: 2 });
  t.end();
});
