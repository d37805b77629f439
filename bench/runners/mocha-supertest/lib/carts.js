'use strict';
const { unitPrice } = require('./prices');

const carts = new Map();

function add(id, sku, count) {
  const cart = carts.get(id) ?? { id, lines: [] };
  cart.lines.push({ sku, count });
  carts.set(id, cart);
  return cart;
}

function summary(id) {
  const { lines } = carts.get(id);
  let total = 0;
  for (const { sku, count } of lines) total += unitPrice(sku, count) * count;
  return { id, total, currency: 'EUR' };
}

module.exports = { add, summary };
