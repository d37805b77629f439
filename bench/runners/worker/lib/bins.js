'use strict';

exports.bins = function bins(values, count) {
  const least = Math.min(...values);
  const most = Math.max(...values);
  const width = (most - least) / (count + 1);
  return { least, most, width, count };
};
