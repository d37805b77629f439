const keys = { lamp: 1 };

function open(what) {
  const key = keys[what];
  if (key === undefined) throw new RangeError(`no key for ${what}`);
  return key;
}

module.exports = { open };
