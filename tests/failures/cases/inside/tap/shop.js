exports.total = (lines) => {
  let sum = 0;
  for (const line of lines) sum += line.price * line.pieces;
  return sum + 1;
};

exports.refuse = (what) => {
  throw new RangeError(`no ${what}`);
};
