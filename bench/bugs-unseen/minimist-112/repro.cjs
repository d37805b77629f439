'use strict';
var parse = require('minimist');

var options = parse(['--input', 'a.txt', '--colour=false', 'more'], { boolean: ['colour'] });

function heading(text) {
  return options.colour ? '\u001b[1m' + text + '\u001b[0m' : text;
}

var shown = heading(options.input);
if (shown !== 'a.txt') throw new Error('heading is ' + JSON.stringify(shown));
console.log('ok');
