'use strict';

module.exports = function batch(items, limit, work, callback) {
  const results = [];
  let next = 0;
  let running = 0;
  let failed = false;

  function start() {
    while (running < limit && next < items.length) {
      const index = next++;
      running++;
      work(items[index], (error, result) => finish(error, index, result));
    }
  }

  function finish(error, index, result) {
    if (failed) return;
    running--;
    if (error) {
      failed = true;
      return callback(error);
    }
    results.push(result);
    if (next === items.length && running === 0) return callback(null, results);
    start();
  }

  if (items.length === 0) return setImmediate(callback, null, results);
  start();
};
