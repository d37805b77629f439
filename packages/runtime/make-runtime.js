// node make-runtime.js recorder | builtins | prelude: prints a text that recorded programs load. `cargo xtask build` calls it, after
// it wrote the contract.
//
// - recorder: the files of recorder/ as one function. They are joined here, and not by modules, because V8 is to see one scope: it
//   inlines the helpers into the program, and a variable of another module would cost each event a look. For the same reason the
//   names of the contract become numbers here.
// - builtins: builtins.js with such numbers.
// - prelude: gives a bare realm (a vm context of the transparency tests) the helpers, with no help from Node: events go round in a
//   typed array and are read by nobody, identity is a WeakMap, and proxies are known because `Proxy` tells of them.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const contract = require('./contract.generated.cjs');

// What a file initialises, files behind it may use.
const PARTS = [
  'options', 'captured', 'room', 'needed', 'values', 'strings', 'identity', 'stampers', 'looks', 'contents', 'classes', 'events',
  'writes', 'births', 'frames', 'sparse', 'checked', 'records', 'effects', 'rehearsal', 'interface',
];

const read = (name) => fs.readFileSync(path.join(__dirname, name), 'utf8').trimEnd();

function recorder() {
  const parts = PARTS.map((name) => withNumbers(`recorder/${name}.js`));
  return `(function createRecorder(options) {\n'use strict';\n${parts.join('\n\n')}\nreturn recorder;\n})`;
}

function builtins() {
  return withNumbers('builtins.js');
}

function prelude() {
  const { PREFIX, HELPER } = contract;
  const helpers = Object.keys(vm.runInThisContext(recorder())({ words: new Int32Array(1), state: [0, 0] }).helpers);
  const own = `${PREFIX}${HELPER.PRELUDE}`;
  return `const ${own} = ${withNumbers('prelude.js')}(${recorder()}, ${builtins()});
${helpers.map((name) => `const ${PREFIX}${name} = ${own}.${name};`).join('\n')}
`;
}

// `TAG.INTEGER` → 5, `HELPER.ENTER` → "E".
function withNumbers(name) {
  return read(name).replace(/\b([A-Z]+)\.([A-Z][A-Z0-9_]*)\b/g, (whole, table, word) => {
    const value = contract[table]?.[word];
    if (value === undefined) throw new Error(`${name}: the contract has no ${whole}`);
    return JSON.stringify(value);
  });
}

module.exports = { PARTS, recorder, builtins, prelude };

if (require.main === module) process.stdout.write(module.exports[process.argv[2]]());
