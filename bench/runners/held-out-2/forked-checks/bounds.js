'use strict';
exports.least = (a, b) => (a < b ? a : b);

exports.most = (a, b) => (a > b ? b : a);
