'use strict';

const RATES = {
  DE: { standard: 0.19, reduced: 0.17 },
  FR: { standard: 0.2, reduced: 0.055 },
  DK: { standard: 0.25, reduced: 0.25 },
};

const REDUCED = new Set(['book', 'food']);

function rateFor(country, kind) {
  const rates = RATES[country];
  if (!rates) throw new RangeError(`no rates for ${country}`);
  return REDUCED.has(kind) ? rates.reduced : rates.standard;
}

module.exports = { rateFor };
