'use strict';
var yaml = require('js-yaml');

var notes = yaml.load([
  'title: plain',
  "quote: 'she said ''yes''",
  "  and left'",
].join('\n'));
if (notes.quote !== "she said 'yes' and left") throw new Error('read as: ' + notes.quote);
console.log('ok');
