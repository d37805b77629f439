const vm = require('vm');
console.log(vm.runInNewContext('let a = [1, 2]; a.push(3); function f(x) { return x + 1 } f.toString() + a + f(1)'));
const context = vm.createContext({ log: console.log, x: 1 });
vm.runInContext('var y = x + 1; log(y, Object.keys(globalThis).join())', context);
console.log(Object.keys(context), context.y);
console.log(new vm.Script('1; if (true) { 2 + 3 }').runInThisContext(), new vm.Script('x *= 5', { filename: 'named.js' }).runInContext(context));
console.log(vm.compileFunction('return a + b.length', ['a', 'b'], { filename: 'fn.js' })(1, 'xyz'));
console.log(vm.runInThisContext('(function g(q) { return q })').toString());
try { vm.runInNewContext('\n  let o = null; o.prop', {}, 'ctx.js'); } catch (e) { console.log(e.stack.split('\n').slice(0, 7).join('\n')); }
try { vm.runInThisContext('let = ;', 'bad.js'); } catch (e) { console.log(e.stack.split('\n').slice(0, 4).join('\n')); }
try { new vm.Script('foo(', { filename: 'bad2.js' }); } catch (e) { console.log(e.stack.split('\n').slice(0, 4).join('\n')); }
const cached = new vm.Script('1 + 1').createCachedData();
console.log(new vm.Script('1 + 1', { cachedData: cached }).cachedDataRejected);
console.log(vm.isContext(context), vm.Script.name, vm.Script.prototype.constructor === vm.Script, vm.runInNewContext.length);
console.log(vm.runInContext('Function("return this")() === globalThis', context), vm.runInContext('Function.prototype.constructor === Function', context));
console.log(vm.runInContext('(() => {}).constructor("return 5")()', context), vm.runInContext('eval("1+1")', context));
class Mine extends vm.Script { extra() { return 1; } }
console.log(new Mine('7').extra(), new Mine('7').runInThisContext());
