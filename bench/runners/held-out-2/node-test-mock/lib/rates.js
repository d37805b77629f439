'use strict';
const known = new Map([['EUR', 1], ['USD', 1.25], ['JPY', 160]]);

exports.convert = (amount, from, to) => (amount / known.get(to)) * known.get(from);
