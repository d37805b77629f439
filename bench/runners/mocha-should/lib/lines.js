var words = require('./words').words;

exports.fill = function fill(text, width) {
  var lines = [];
  var line = '';
  words(text).forEach(function (word) {
    if (line === '') {
      line = word;
      return;
    }
    if (line.length + word.length <= width) {
      line += ' ' + word;
    } else {
      lines.push(line);
      line = word;
    }
  });
  if (line) lines.push(line);
  return lines;
};
