function f(a, b = 1) { return a + b; }
class A { #x = 1; m() { return this.#x; } static s = () => 1; get g() { return 2; } }
console.log(f.toString(), A.toString(), String(A.prototype.m), `${A.s}`);
console.log(Function.prototype.toString.call(Object.getOwnPropertyDescriptor(A.prototype, 'g').get));
const natives = [Function.prototype.toString, Array.prototype.push, Map.prototype.set, Function, setTimeout, require('vm').Script,
  require('module').prototype._compile, process.emit, process._fatalException, require('worker_threads').Worker, require('fs').writeSync,
  require('stream').Writable.prototype.write, Object.assign, JSON.parse];
for (const n of natives) console.log(n.toString(), n.name, n.length, Object.keys(n).join());
console.log(Object.getOwnPropertyNames(Function).join(), Object.getOwnPropertyNames(Array.prototype.push).join());
const g = new Function('a', 'b', 'return a + b');
console.log(g.toString(), g.name, g.length, g(1, 2));
