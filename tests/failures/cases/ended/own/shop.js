const prices = { pen: 3 };

exports.price = (name) => {
  if (prices[name] === undefined) throw new RangeError(`no price of ${name}`);
  return prices[name];
};

exports.discount = (name) => {
  const price = exports.price(name);
  return price - 1;
};
