'use strict';
const fs = require('fs');
const { measure, scale } = require('./harness.cjs');
const esprima = require('esprima');
const source = fs.readFileSync(require.resolve('esprima'), 'utf8');
measure('esprima', () => {
  let n = 0;
  for (let i = 0; i < scale(12); i++) n += esprima.parse(source, { range: true }).body.length;
  return n;
});
