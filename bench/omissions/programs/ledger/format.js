'use strict';
function money(cents) {
  const sign = cents < 0 ? '-' : '';
  const n = Math.abs(cents);
  return `${sign}${Math.floor(n / 100)}.${String(n % 100).padStart(2, '0')}`;
}
function table(book) {
  const names = Object.keys(book.accounts).sort();
  return names.map((name) => `${name}: ${money(book.accounts[name].balance)}`).join('\n');
}
module.exports = { money, table };
