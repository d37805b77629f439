exports.celsius = function celsius(fahrenheit) {
  return Math.round((fahrenheit - 32) * 9 / 5);
};

exports.describe = function describe(celsius) {
  if (celsius < 0) return 'frost';
  return celsius < 20 ? 'mild' : 'warm';
};
