// A small shop. The receipt should say 43.00: two books at 15.00 with ten per cent off, and four pens at 4.00 each
// with nothing off.
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

const total = cart.total();
if (total !== 43) throw new Error(`the receipt says ${total.toFixed(2)}`);
