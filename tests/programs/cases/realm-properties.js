// Everything that reflection shows of the built-ins, in the main realm and in fresh ones: which properties, in which order, how they
// are made, and what the functions among them are like.
const vm = require('node:vm');
const { describe } = require('./helpers/describe.js');

const ROOTS = '[globalThis, function* () {}, async function () {}, async function* () {}, [][Symbol.iterator](), new Map().entries(), new Set().values(), "".matchAll(/a/g), ""[Symbol.iterator](), (function () { return arguments; })(), (function () { "use strict"; return arguments; })(), class {}, () => 1, new Error("x")]';

function all(title, roots) {
  roots.forEach((root, i) => describe(`${title}${i}`, root));
}

all('main', vm.runInThisContext(ROOTS));

const sandbox = { given: 1 };
all('fresh', vm.runInNewContext(ROOTS, sandbox));
describe('sandbox', sandbox);

const context = vm.createContext();
describe('empty before', context);
all('context', new vm.Script(ROOTS).runInContext(context));
describe('empty', context);
all('again', vm.runInContext(ROOTS, context));

const own = vm.createContext({ Function: 1, eval: 2, Array: 3 });
console.log(vm.runInContext('[typeof Function, typeof eval, typeof Array, (() => 1).constructor.name, Object.keys(globalThis).join()].join()', own));
describe('own names', own);

const frozen = vm.createContext(Object.freeze({ a: 1 }));
console.log(vm.runInContext('globalThis.b = 2; typeof b', frozen));
describe('frozen', frozen);

if (vm.constants?.DONT_CONTEXTIFY !== undefined) {
  const vanilla = vm.createContext(vm.constants.DONT_CONTEXTIFY);
  describe('vanilla', vanilla);
  all('vanilla', vm.runInContext(ROOTS, vanilla));
}

// A sandbox that sees what is asked of it.
const seen = [];
const watched = new Proxy({}, new Proxy({}, {
  get: (_, trap) => (...args) => {
    seen.push(`${trap} ${String(args[1])}`);
    return Reflect[trap](...args);
  },
}));
vm.createContext(watched);
console.log(vm.runInContext('var a = [1]; a.push(2); (() => a).constructor("return 1")() + a.length', watched));
console.log(seen.join('\n'));

// What jsdom does with every name of a realm.
const dom = vm.createContext({});
const realm = vm.runInContext('globalThis', dom);
for (const key of Object.getOwnPropertyNames(realm)) {
  if (key === 'globalThis') continue;
  const descriptor = Object.getOwnPropertyDescriptor(realm, key);
  try {
    Object.defineProperty(realm, key, { ...descriptor, writable: true, configurable: true });
  } catch (error) {
    console.log(key, error.message);
  }
}
