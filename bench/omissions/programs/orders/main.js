'use strict';
const { Stock } = require('./lib/stock.js');
const { Orders } = require('./lib/orders.js');
const { stockReport, asText } = require('./lib/report.js');

const stock = new Stock().put('lamp', 10).put('chair', 4).put('table', 2);
const orders = new Orders(stock);
const mails = [];
orders.on('placed', (order) => mails.push(`${order.customer}: we got your order ${order.number}`));
orders.on('refused', (order) => mails.push(`${order.customer}: sorry`));
orders.on('ended', (order) => mails.push(`${order.customer}: your order was ${order.state}`));

const first = orders.place('ann', [{ sku: 'lamp', n: 2 }, { sku: 'chair', n: 4 }]);
orders.pay(first.number);
orders.end(first.number, 'shipped');
orders.place('bob', [{ sku: 'lamp', n: 1 }, { sku: 'chair', n: 1 }]);
const second = orders.place('cy', [{ sku: 'lamp', n: 3 }, { sku: 'table', n: 2 }]);
orders.end(second.number, 'cancelled');
orders.place('dee', [{ sku: 'lamp', n: 1 }]);

console.log(asText(stockReport(stock)));
console.log(mails.join('\n'));
const table = stock.shelf('table');
if (table.reserved !== 0) throw new Error(`${table.reserved} tables are still reserved`);
