const t = require('tap');
const { total } = require('./shop.js');

t.test('adds up the lines', (t) => {
  t.equal(total([{ price: 3, pieces: 2 }]), 6);
  t.end();
});
