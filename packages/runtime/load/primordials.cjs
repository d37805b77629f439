// Built-ins as they were before the program ran, which may replace or delete any of them. What runs later than the setting up
// uses these; nor does it iterate over arrays (`for … of`, spread, destructuring), which asks Array.prototype, or store behind
// the end of one, which can meet a setter on a prototype. The global names themselves are parameters of our files (preload.cjs).
'use strict';
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const { defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;

// Collections whose methods are their own.
const SafeMap = safe(Map);
const SafeWeakMap = safe(WeakMap);
const SafeWeakSet = safe(WeakSet);

// As `array.push(item)`.
function append(array, item) {
  defineProperty(array, array.length, { __proto__: null, value: item, writable: true, enumerable: true, configurable: true });
}

// As `text.replace(pattern, replacement)`, with a global pattern; the replacement is given the match.
function replaceAll(text, pattern, replacement) {
  let done = '';
  let end = 0;
  pattern.lastIndex = 0;
  for (let match = exec(pattern, text); match !== null; match = exec(pattern, text)) {
    done += slice(text, end, match.index) + replacement(match);
    end = pattern.lastIndex;
  }
  return done + slice(text, end);
}

const exec = uncurry(RegExp.prototype.exec);
const slice = uncurry(String.prototype.slice);

module.exports = {
  SafeMap,
  SafeWeakMap,
  SafeWeakSet,
  append,
  replaceAll,
  exec,
  slice,
  matches: (pattern, text) => exec(pattern, text) !== null,
  endsWith: uncurry(String.prototype.endsWith),
  includes: uncurry(String.prototype.includes),
  indexOf: uncurry(String.prototype.indexOf),
  lastIndexOf: uncurry(String.prototype.lastIndexOf),
  split: uncurry(String.prototype.split),
  startsWith: uncurry(String.prototype.startsWith),
  join: uncurry(Array.prototype.join),
  map: uncurry(Array.prototype.map),
  sliceArray: uncurry(Array.prototype.slice),
  bind: uncurry(Function.prototype.bind),
  isArray: Array.isArray,
  hasOwn: Object.hasOwn,
};

function safe(plain) {
  // The constructor that Node 20 would make by itself iterates over its arguments.
  const made = class extends plain {
    constructor() {
      super();
    }
  };
  const keys = ownKeys(plain.prototype);
  for (const key of keys) {
    if (key === 'constructor') continue;
    defineProperty(made.prototype, key, { __proto__: null, ...getOwnPropertyDescriptor(plain.prototype, key) });
  }
  Object.setPrototypeOf(made.prototype, null);
  return made;
}
