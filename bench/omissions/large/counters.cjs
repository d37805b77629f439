'use strict';
exports.createCounters = () => {
  const counts = { odd: 0, even: 0 };
  const late = [];
  function hit(name, i) {
    counts[name] += 1;
    if (i > 1e9) late.push(name);
    return counts[name];
  }
  return { hit, late };
};
