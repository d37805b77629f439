module.exports = function escape(text) {
  return text.replace('<', '&lt;').replace('>', '&gt;');
};
