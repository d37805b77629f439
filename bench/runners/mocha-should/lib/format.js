var fill = require('./lines').fill;

function pad(count) {
  return new Array(count + 1).join(' ');
}

module.exports = function format(text, options) {
  var indent = (options && options.indent) || 0;
  var width = ((options && options.width) || 72) - indent;
  return fill(text, width).map(function (line) { return pad(indent) + line; }).join('\n');
};
