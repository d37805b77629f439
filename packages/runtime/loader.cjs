// How our own files are loaded: they are not modules of the program, but compiled here and known to no cache. Whoever gets the recorder into
// a process (preload.cjs, or the agent) compiles this file itself, with `module` and `require` as parameters, and before the program runs.
'use strict';
const fs = require('fs');
const path = require('path');
const { compileFunction } = require('vm');

// The program may replace and delete globals: our own files keep those that they name.
const GLOBALS = ['process', 'globalThis', 'Object', 'Array', 'ArrayBuffer', 'Buffer', 'Error', 'Number', 'Reflect', 'TextDecoder', 'URL', 'parseInt'];
const globals = GLOBALS.map((name) => (name === 'TextDecoder' ? lazily(require('util'), name) : global[name]));

module.exports = function loader(folder) {
  const loaded = new Map();
  return function load(name) {
    if (!loaded.has(name)) {
      const file = path.join(folder, name);
      const unit = { exports: {} };
      loaded.set(name, unit);
      const text = fs.readFileSync(file, 'utf8');
      compileFunction(text, ['module', 'load', 'require'].concat(GLOBALS), { filename: file }).apply(undefined, [unit, load, require].concat(globals));
    }
    return loaded.get(name).exports;
  };
};

// The value of a property that may come into being when it is asked for, which the program could tell.
function lazily(object, name) {
  const descriptor = Object.getOwnPropertyDescriptor(object, name);
  const value = object[name];
  if (descriptor.get !== undefined) Object.defineProperty(object, name, descriptor);
  return value;
}
