'use strict';
// Invoices with discounts, taxes and shipping.

const TAX = { book: 7, food: 7, tool: 19 };

function round(amount) {
  return Math.round(amount * 100) / 100;
}

function taxRate(line) {
  return TAX[line.kind];
}

function gross(line) {
  return line.price * line.count;
}

function quantityDiscount(line) {
  if (line.count >= 10) return 10;
  if (line.count >= 5) return 5;
  return 0;
}

function lineTotal(line) {
  return round(gross(line) * (1 - quantityDiscount(line) / 100));
}

function lineTax(line) {
  return round(lineTotal(line) * taxRate(line) / 100);
}

function sumOfLines(order) {
  let sum = 0;
  for (const line of order.lines) sum += lineTotal(line);
  return round(sum);
}

function sumOfTaxes(order) {
  let sum = 0;
  for (const line of order.lines) sum += lineTax(line);
  return round(sum);
}

function weight(order) {
  let grams = 0;
  for (const line of order.lines) grams += line.grams * line.count;
  return grams;
}

function shippingByWeight(grams) {
  if (grams <= 500) return 2;
  if (grams <= 2000) return 5;
  return 5 + Math.ceil((grams - 2000) / 1000) * 1.5;
}

function shipping(order) {
  if (sumOfLines(order) >= 100) return 0;
  return shippingByWeight(weight(order));
}

function loyaltyPercent(customer) {
  if (customer.years > 5) return 3;
  return customer.orders > 20 ? 2 : 0;
}

function rebate(order) {
  return round(sumOfLines(order) * loyaltyPercent(order.customer) / 100);
}

function total(order) {
  return round(sumOfLines(order) + sumOfTaxes(order) + shipping(order) - rebate(order));
}

function money(amount) {
  return amount.toFixed(2);
}

function lineText(line) {
  return `${line.count} x ${line.name} ${money(lineTotal(line))}`;
}

function printOrder(order) {
  for (const line of order.lines) console.log(lineText(line));
  console.log('shipping', money(shipping(order)), 'rebate', money(rebate(order)));
  console.log('total', money(total(order)));
}

function main(orders) {
  for (const order of orders) printOrder(order);
}

const INPUTS = {
  usual: [
    {
      customer: { years: 6, orders: 3 },
      lines: [{ name: 'novel', kind: 'book', price: 12, count: 2, grams: 300 }, { name: 'nails', kind: 'tool', price: 0.5, count: 10, grams: 20 }],
    },
    {
      customer: { years: 1, orders: 25 },
      lines: [{ name: 'rice', kind: 'food', price: 2.2, count: 5, grams: 1000 }, { name: 'saw', kind: 'tool', price: 18, count: 1, grams: 600 }],
    },
  ],
  small: [{ customer: { years: 1, orders: 1 }, lines: [{ name: 'pen', kind: 'tool', price: 1, count: 1, grams: 10 }] }],
};

module.exports = { round, taxRate, gross, quantityDiscount, lineTotal, lineTax, sumOfLines, sumOfTaxes, weight, shippingByWeight, shipping, loyaltyPercent, rebate, total, money, lineText, printOrder, main };
if (require.main === module) main(INPUTS[process.argv[2] ?? 'usual']);
