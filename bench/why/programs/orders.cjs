// Orders with discounts, stock that is reserved, and invoices.
const assert = require('node:assert');

class Warehouse {
  constructor(stock) {
    this.stock = { ...stock };
    this.reserved = {};
  }

  available(product) {
    return (this.stock[product] ?? 0) - (this.reserved[product] ?? 0);
  }

  reserve(product, count) {
    const n = Math.min(count, this.available(product));
    this.reserved[product] = (this.reserved[product] ?? 0) + n;
    return n;
  }

  ship(product, count) {
    this.reserved[product] -= count;
    this.stock[product] -= count;
  }
}

const DISCOUNTS = [
  { name: 'volume', applies: (line) => line.count >= 10, percent: 10 },
  { name: 'loyal', applies: (line, customer) => customer.years > 2, percent: 5 },
];

function priceLine(line, customer, prices) {
  const full = prices[line.product] * line.count;
  let percent = 0;
  for (const discount of DISCOUNTS) {
    if (discount.applies(line, customer)) percent += discount.percent;
  }
  return { ...line, full, amount: (full * (100 - percent)) / 100 };
}

function place(order, warehouse, prices) {
  const lines = [];
  const missing = [];
  for (const { product, count } of order.lines) {
    const n = warehouse.reserve(product, count);
    if (n < count) missing.push({ product, count: count - n });
    if (n > 0) lines.push(priceLine({ product, count: n }, order.customer, prices));
  }
  return { customer: order.customer, lines, missing };
}

function invoice(placed, shipping) {
  const goods = placed.lines.reduce((sum, line) => sum + line.amount, 0);
  const freight = goods >= shipping.freeFrom ? 0 : shipping.cost;
  return { goods, freight, total: goods + freight };
}

function deliver(placed, warehouse) {
  for (const line of placed.lines) warehouse.ship(line.product, line.count);
}

// checks
const warehouse = new Warehouse({ pen: 30, book: 2 });
const prices = { pen: 2, book: 15 };
const first = place({ customer: { years: 3 }, lines: [{ product: 'pen', count: 20 }, { product: 'book', count: 1 }] }, warehouse, prices);
const second = place({ customer: { years: 1 }, lines: [{ product: 'pen', count: 12 }, { product: 'book', count: 1 }] }, warehouse, prices);
assert.deepStrictEqual(invoice(first, { freeFrom: 50, cost: 6 }), { goods: 48.25, freight: 6, total: 54.25 });
assert.deepStrictEqual(second.missing, [{ product: 'pen', count: 2 }]);
assert.strictEqual(invoice(second, { freeFrom: 30, cost: 6 }).total, 33);
deliver(first, warehouse);
assert.strictEqual(warehouse.available('pen'), 0);
assert.strictEqual(warehouse.stock.book, 1);
