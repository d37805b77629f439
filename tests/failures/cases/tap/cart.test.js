const t = require('tap');
const { total, refuse } = require('./shop.js');

t.test('cart', (t) => {
  t.test('total', (t) => {
    t.test('refuses what there is none of', (t) => {
      t.throws(() => refuse('coupon'));
      t.end();
    });
    t.test('adds up the lines', (t) => {
      const sum = total([{ price: 3, pieces: 2 }]);
      t.equal(sum, 6);
      t.end();
    });
    t.end();
  });
  t.test('waits', async () => {
    await null;
    refuse('time');
  });
  t.end();
});
