// Comes to most of the ways into the addon that a healthy program comes to.
const vm = require('node:vm');
const util = require('node:util');
const { Worker, isMainThread } = require('node:worker_threads');
const { execFileSync } = require('node:child_process');

class Cart {
  #secret = 1;
  lines = [];
  add(line) { this.lines.push({ ...line, count: 2 }); return this; }
  get secret() { return this.#secret; }
}
const cart = new Cart().add({ sku: 'pen', price: 4 }).add({ sku: 'book', price: 9 });
console.log(util.inspect(cart), cart.secret, `${Cart.prototype.add}`);
const weak = new WeakMap([[cart, [1, 2]]]);
function usesWeak(map) { map.set({}, 1); return map.has(cart); }
const frozen = Object.freeze({ a: 1 });
const writes = (o) => { o.a = 2; return o.a; };
console.log(writes({ a: 1 }), writes(frozen), writes(frozen));
console.log(usesWeak(weak), [3, 1, 2].sort(), Object.freeze({ a: 1 }));

function fails(n) { return n === 0 ? null.missing : fails(n - 1); }
try { fails(2); } catch (error) { console.log(error.stack.replaceAll(__dirname, '.')); }
try { (function named() { return cart.nothing(); })(); } catch (error) { console.log(error.message); }
try { structuredClone(function shown(a) { const b = a + 1; return [b, b]; }); } catch (error) { console.log(error.message); }

console.log(eval('(function inEval() { const list = [1]; return list.map((n) => new Error(`${n} in eval`).stack)[0]; })()').split('\n').slice(0, 3).join('|').replaceAll(__dirname, '.'));
console.log(eval('let x = 1; x + 1'), new Function('a', 'return a * 2')(4), (0, eval)('3 + 4'));
console.log(new vm.Script('({ y: [1, 2, 3].map((n) => n + 1) })', { filename: 'made.js', lineOffset: 4, columnOffset: 2 }).runInNewContext());
console.log(vm.compileFunction('return a + 1', ['a'], { filename: 'body.js' })(2));
try { new vm.Script('\n  throw new Error("from a script")', { filename: 'thrown.js', lineOffset: 2 }).runInThisContext(); } catch (error) { console.log(error.stack.split('\n')[1]); }
try { vm.runInThisContext('let a = ;', { filename: 'wrong.js' }); } catch (error) { console.log(error.stack.split('\n').slice(0, 3).join('|')); }
if (util.getCallSites !== undefined) console.log((function here() { return util.getCallSites()[0].lineNumber; })());
new Error('x', { cause: 1 }).stack;
Error.prepareStackTrace = (error, sites) => sites.map((site) => `${site.getLineNumber()}:${site.getColumnNumber()}:${site.getPosition?.() > 0}`).join();
console.log(new Error('prepared').stack.split(',')[0], eval('(() => new Error("in eval"))()').stack.split(',')[0]);
Error.prepareStackTrace = undefined;
console.log((function (a, b) { arguments[0] = 2; return a + b; })(1, 2));
console.log(execFileSync(process.execPath, ['-e', 'console.log(1 + 1)'], { encoding: 'utf8' }).trim());

const worker = new Worker('const { parentPort } = require("node:worker_threads"); parentPort.postMessage({ from: "a worker" });', { eval: true });
worker.on('message', (message) => console.log(message));
worker.on('exit', async (code) => {
  console.log(code);
  console.log(Object.keys(await import('./imported.mjs')));
  process.exitCode = 3;
});
