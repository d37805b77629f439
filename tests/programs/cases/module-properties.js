// Everything that reflection shows of Node's own modules: what stands in for a function of theirs must look the same.
// flags: --experimental-vm-modules --no-warnings
const { builtinModules } = require('node:module');
const { describe } = require('./helpers/describe.js');

// What they say of the modules of the program is another matter, and so is which of Node's own are loaded. The one property that is
// ours stands where nobody looks for any: `emit` of the prototype of `process`.
delete Object.getPrototypeOf(process).emit;
const skipped = [require.cache, require.main, process.moduleLoadList];
const SHUNNED = /^_|^(?:punycode|sys|wasi|node:)/;
for (const name of builtinModules.filter((name) => !SHUNNED.test(name))) describe(name, require(name), skipped);
describe('process', process, skipped);
