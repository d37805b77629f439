'use strict';

exports.shares = function shares(amount, people, parts) {
  const given = {};
  let left = amount;
  people.slice(0, -1).forEach((name, n) => {
    const share = amount * parts[n] / 10;
    given[name] = share;
    left -= share + 10;
  });
  given[people.at(-1)] = left;
  return given;
};
