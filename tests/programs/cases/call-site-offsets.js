// Offsets of call sites: in files, evaluated code, code that says it starts elsewhere.
const vm = require('vm');
Error.prepareStackTrace = (error, sites) => sites.map((site) => [site.getFunctionName(), site.getLineNumber(), site.getColumnNumber(), site.getPosition()].join(' '));
const sites = () => new Error('x').stack.slice(0, 4);
function f(a) { const x = a + 1; return sites(); }
console.log(f(1), /* 😀é */ f(2));
class A { m() { return [1].map(() => f(3))[0]; } }
console.log(new A().m());
console.log(eval('let q = 1;\nq++; f(q)'), new Function('a', 'b = 2', 'let z = 1;\n z = 2; return a(z)')(f));
console.log(vm.runInThisContext('let w = 1;\nw = 2; ((g) => g(w))', { filename: 'far.js', lineOffset: 10, columnOffset: 5 })(f));
console.log(vm.runInThisContext('let w2 = 1; ((g) => g(w2))', { filename: 'far2.js', lineOffset: 10, columnOffset: 5 })(f));
