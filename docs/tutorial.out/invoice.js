const defaults = { currency: 'EUR', discounts: [] };

function settingsFor(customer, options) {
  const settings = Object.assign({}, defaults, options);
  if (customer.isMember) settings.discounts.push(10);
  return settings;
}

function invoice(customer, lines, options) {
  const settings = settingsFor(customer, options);
  let total = 0;
  for (const line of lines) total += line.price * line.count;
  for (const percent of settings.discounts) total -= (total * percent) / 100;
  return { to: customer.name, total, currency: settings.currency };
}

module.exports = { invoice };
