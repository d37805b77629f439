'use strict';
const { measure, scale } = require('./harness.cjs');
const alasql = require('alasql');
measure('alasql', () => {
  const db = new alasql.Database('shop');
  db.exec('CREATE TABLE item (sku INT NOT NULL PRIMARY KEY, qty INT)');
  let sum = 0;
  for (let i = 0; i < scale(1500); i++) {
    db.exec(`INSERT INTO item VALUES (${i}, ${i % 17})`);
    sum += db.exec(`SELECT SUM(qty) AS s FROM item WHERE sku > ${i - 20}`)[0].s;
    if (i % 100 === 99) db.exec(`DELETE FROM item WHERE sku < ${i - 50}`);
  }
  return sum;
});
