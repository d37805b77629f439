exports.words = function words(text) {
  return text.split(/\s+/).filter(function (word) { return word.length > 0; });
};

exports.longest = function longest(list) {
  return list.reduce(function (best, word) { return word.length > best.length ? word : best; }, '');
};
