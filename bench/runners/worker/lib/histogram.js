'use strict';
const { bins } = require('./bins');

exports.histogram = function histogram(values, count) {
  const { least, width } = bins(values, count);
  const counts = new Array(count).fill(0);
  for (const value of values) {
    const bin = width === 0 ? 0 : Math.ceil((value - least) / width) - 1;
    if (bin < count) counts[Math.max(bin, 0)] += 1;
  }
  return counts;
};
