// The text that gives a bare realm (a vm context of the transparency tests) the helpers, with no help from Node: events go
// round in a typed array and are read by nobody, identity is a WeakMap, and proxies are known because `Proxy` tells of them.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

function makePrelude() {
  const source = (name) => fs.readFileSync(path.join(__dirname, name), 'utf8').trimEnd();
  const helpers = Object.keys(vm.runInThisContext(source('recorder.js'))({ words: new Int32Array(1), state: [0, 0] }).helpers);
  return `const $w_prelude = ${source('prelude.js')}(${source('recorder.js')}, ${source('builtins.js')});
${helpers.map((name) => `const $w_${name} = $w_prelude.${name};`).join('\n')}
`;
}

module.exports = { makePrelude };

if (require.main === module) process.stdout.write(makePrelude());
