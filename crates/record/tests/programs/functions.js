const AsyncFunction = (async () => {}).constructor;
const Generator = (function* () {}).constructor;
console.log(new Function()(), Function('return 1')(), new Function('a,b', 'c', '"use strict"; return [a, b, c, this]').call(1, 2, 3, 4));
console.log([...new Generator('n', 'for (let i = 0; i < n; i++) yield i;')(3)], Generator('yield 1').toString());
new AsyncFunction('x', 'return (await x) + 1')(Promise.resolve(4)).then(console.log);
console.log(Function.name, Function.length, Function.prototype.constructor === Function, (() => {}) instanceof Function, AsyncFunction.name);
const f = new Function('x', 'try { null.p } catch (e) { return e.stack.split("\\n").slice(0, 2).join("|") } // end');
console.log(f(), f.toString(), f.name, f.length);
try { new Function('a b', 'return'); } catch (e) { console.log(e.name, e.message); }
try { new Function('return ('); } catch (e) { console.log(e.name, e.message); }
class Sub extends Function { constructor() { super('return 9'); } }
console.log(new Sub()(), new Sub() instanceof Sub, Reflect.construct(Function, ['return new.target'], Array).constructor === Array);
const order = []; const spy = (n) => ({ toString() { order.push(n); return n; } });
Function(spy('a'), spy('b'), { toString() { order.push('body'); return 'return a' } }); console.log(order);
console.log(new Function('/*a*/ x = 1, {y} = {y: 2}', '\n  return x + y;\n')());
