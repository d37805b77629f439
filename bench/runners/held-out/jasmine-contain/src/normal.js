module.exports = function normal(text) {
  return text.trim().replace(/\s+/g, '-');
};
