'use strict';

module.exports = function slowSquare(n, callback) {
  const delay = n % 2 ? 1 : 12;
  setTimeout(() => {
    if (typeof n !== 'number') return callback(new TypeError('not a number'));
    callback(null, n * n);
  }, delay);
};
