var g = 1; let local = 2;
function f(p) { const inner = 3; return eval('var made = p + local + inner; made * 2; (() => made)()'); }
console.log(f(1), eval('1;2;if(g){3}'), (0, eval)('typeof local'), eval('function decl() { return 5 } decl.toString()'), typeof decl);
(function () { 'use strict'; try { eval('var q = 1; undeclared = 2'); } catch (e) { console.log(e.name, e.message, typeof q); } })();
console.log(eval({ not: 'text' }), eval('({a: 1})'), eval(''));
try { eval('let = '); } catch (e) { console.log(e.name, e.message); }
const e2 = eval; console.log(e2('this === globalThis'), eval.name, eval.length, eval.toString());
