'use strict';
function stockReport(stock) {
  const rows = [];
  for (const shelf of stock.shelves.values()) {
    rows.push({ sku: shelf.sku, free: shelf.free, reserved: shelf.reserved });
  }
  return rows.sort((a, b) => (a.sku < b.sku ? -1 : 1));
}
function asText(rows) {
  return rows.map(({ sku, free, reserved }) => `${sku.padEnd(8)} ${String(free).padStart(4)} ${String(reserved).padStart(4)}`).join('\n');
}
module.exports = { stockReport, asText };
