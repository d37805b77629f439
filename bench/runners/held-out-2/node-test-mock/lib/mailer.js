'use strict';
const { convert } = require('./rates');

exports.remind = (invoices, send) => {
  for (const { customer, amount, currency } of invoices) {
    const owed = currency === customer.currency ? amount : convert(amount, currency, customer.currency);
    if (owed > 0) send(customer.mail, `${owed.toFixed(2)} ${customer.currency}`);
  }
};
