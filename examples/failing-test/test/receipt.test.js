const assert = require('node:assert');
const { test } = require('node:test');
const { Cart } = require('../src/cart');
const { applyOffers } = require('../src/offers');

const catalogue = [
  { sku: 'book', price: 15 },
  { sku: 'pen', price: 4 },
];

test('an empty cart costs nothing', () => {
  assert.strictEqual(new Cart(catalogue).total(), 0);
});

test('an offer lowers the price of its product only', () => {
  const cart = new Cart(catalogue);
  cart.add('book', 2);
  cart.add('pen', 4);
  applyOffers(cart, [{ sku: 'book', percent: 10 }]);
  assert.strictEqual(cart.total(), 43);
});
