'use strict';
var parse = require('yargs-parser');

function command(line) {
  var argv = parse(line, { string: ['author'] });
  return argv._.length + ' files, message ' + JSON.stringify(argv.message);
}

if (command('commit --message "first one" a.txt') !== '2 files, message "first one"') throw new Error('wrong');
if (command('commit a.txt "" --message none') !== '3 files, message "none"') throw new Error('wrong with an empty argument');
console.log('ok');
