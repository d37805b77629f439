// The stack is cut after ten frames: none of them may be ours.
const Module = require('module');
const m = new Module('/x/virtual.js'); m.filename = '/x/virtual.js'; m.paths = [];
function deep(n) { if (n === 0) throw new Error('deep'); deep(n - 1); }
try { m._compile('module.exports = (f) => f(2); require("vm").runInThisContext("(f)=>f(1)")(module.exports = (x) => x)', '/x/virtual.js'); } catch (e) { console.log(e.message); }
try { deep(20); } catch (e) { console.log(e.stack); }
