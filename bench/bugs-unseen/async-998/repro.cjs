'use strict';
var async = require('async');

// how often a word of the language occurs in the sources; slow, so it is memoized
function count(word, callback) {
  setTimeout(function () { callback(null, { word: word, times: word.length }); }, 1);
}
var counted = async.memoize(count);

async.map(['while', 'constructor', 'while'], counted, function (err, results) {
  if (err) throw err;
  var lines = results.map(function (r) { return r.word + ' ' + r.times; });
  console.log('ok', lines.join(', '));
});
