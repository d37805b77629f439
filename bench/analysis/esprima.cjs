'use strict';
// Two inputs of one program: a run of the one gives hints, and the call graph is scored on a run of the other.
const esprima = require('esprima');
const inputs = {
  first: [
    ['var a = 1, b = [1, 2, , 3], c = { x: 1, get y() { return 2; }, [a]: 3 }; function f(x, y = 2, ...z) { return x ? y : z; }'],
    ['class A extends B { constructor() { super(); } static m() {} get p() { return super.q; } } new A().m(...[1]);'],
    ['for (let i = 0; i < 3; i++) { if (i % 2) continue; else break; } do { x--; } while (x > 0); label: while (true) break label;'],
    ['try { throw new Error(`a${b}c`); } catch ({ message }) { delete a.b; } finally { void 0; } switch (a) { case 1: break; default: }'],
    ['async function g() { await h(); for (const [k, v] of m) yield_(k); } const arrow = async (a) => a ** 2; var r = /ab+c/gi;', { tokens: true, comment: true, range: true, loc: true }],
    ['// comment\n/* block */ let { p, q: [s] } = o; "use strict"; x = y = (1, 2); x += 0x10 + 0b11 + 0o7 + 1e3;', { comment: true, attachComment: true }],
  ],
  second: [
    ['let total = 0; for (const key in obj) { total += obj[key] * 2; } for (;;) { break; } if (!total) { total = -1; }'],
    ['var fn = function named(a, { b, c = 1 }, [d]) { return function* () { yield a; yield* b; }; }; fn`x${1}y`;'],
    ['class C { static async x() {} set v(w) { this.w = w; } ["k" + 1]() { return () => ({ a }); } }', { loc: true }],
    ['switch (x) { case "a": case "b": f(); break; default: g(); } with (o) { h(); } debugger; ;', { range: true }],
    ['const s = "a\\n\\u0041\\x41", t = \'q\', n = null, u = true && false || a ?  b : c; a <<= 1; a >>>= 2; typeof a instanceof b;', { tokens: true }],
    ['try { f(); } catch (e) { } x = { __proto__: null, "a": 1, 2: 3, async m() {}, get g() { return 1; }, set g(v) {} };', { comment: true }],
  ],
};
let n = 0;
for (const [source, options] of inputs[process.argv[2]]) n += esprima.parseScript(source, options).body.length;
for (const [source] of inputs[process.argv[2]]) n += esprima.tokenize(source, { range: true }).length;
if (process.argv[2] === 'first') n += esprima.parseModule('import a, { b as c } from "d"; import * as e from "f"; export default a; export { c }; export * from "g";').body.length;
else n += esprima.parseModule('import d from "x"; export const y = 1; export function z() {} export { d as w } from "v";', {}, (node) => node.type).body.length;
try { esprima.parseScript('var = ;'); } catch (error) { n += error.lineNumber; }
console.log(n);
