'use strict';

const PRICES = { pen: 5, book: 20, lamp: 35 };

function unitPrice(sku, count) {
  const price = PRICES[sku];
  if (price === undefined) throw Object.assign(new Error(`unknown ${sku}`), { status: 404 });
  if (count > 10) return price * 0.9;
  return price;
}

module.exports = { unitPrice };
