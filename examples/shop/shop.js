// A small shop. The receipt should say 43.00: two books at 15.00 with ten per cent off, and four pens at 4.00 each
// with nothing off. It says something else.
const { Cart } = require('./cart');
const { applyOffers } = require('./offers');

const catalogue = [
  { sku: 'book', price: 15 },
  { sku: 'pen', price: 4 },
];

const cart = new Cart(catalogue);
cart.add('book', 2);
cart.add('pen', 4);
applyOffers(cart, [{ sku: 'book', percent: 10 }]);

for (const { sku, count, price } of cart.lines) console.log(`${count} × ${sku} at ${price.toFixed(2)}`);
console.log(`total ${cart.total().toFixed(2)}`);
