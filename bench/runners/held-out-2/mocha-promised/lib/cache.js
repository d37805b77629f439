'use strict';
const pending = new Map();

exports.once = (key, load) => {
  if (!pending.has(key)) pending.set(key, load());
  return pending.get(key);
};
