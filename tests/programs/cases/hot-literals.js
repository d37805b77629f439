// Literals that are made often get functions of their own in the recorder, and a place for their number in the object itself.
// policies: all | needed properties=a,x,k,i,d,v,n | needed elements | births
'use strict';
const util = require('node:util');

const forms = {
  plain: (i) => ({ a: i, b: 'x', c: null }),
  shorthand: (i, get = 1, set = 2, async = 3, of = 4) => ({ get, set, async, of, i }),
  keywords: (i) => ({ if: i, default: 1, class: 2, constructor: 3 }),
  named: (i) => ({ run: function () { return i; }, arrow: () => i, Kind: class {}, method() { return this.i; } }),
  numbers: (i) => ({ 2: i, 1: 'one', z: 0, 0.5: 'half' }),
  texts: (i) => ({ 'a b': i, '': 1, '__proto__ ': 2 }),
  prototype: (i) => ({ __proto__: null, i }),
  spread: (i) => ({ ...{ p: i }, p: 1, ...{ q: 2 } }),
  accessors: (i) => ({ v: i, get v() { return 1; }, set v(x) {} }),
  twice: (i) => ({ d: 1, e: 2, d: i }),
  nested: (i) => ({ o: { o: { o: i } }, l: [[i], { i }] }),
  doubles: (i) => ({ x: i / 3, y: -0, z: NaN }),
  mixed: (i) => ({ m: [0, 0.5, 'text', undefined, {}][i % 5] }),
  empty: () => ({}),
  array: (i) => [i, 'a', , i / 2],
  arrays: (i) => [[], [i], [[i]]],
  frozen: (i) => Object.freeze({ k: i }),
  sealed: (i) => Object.seal([i, { k: i }]),
  computed: (i) => ({ a: 1, ['k' + (i % 3)]: i }),
};

const seen = (value) => util.inspect(value, { depth: 4, showHidden: true });
for (const [name, make] of Object.entries(forms)) {
  const all = new Set();
  let sum = 0;
  for (let i = 0; i < 400; i++) {
    const made = make(i);
    const keys = Reflect.ownKeys(made);
    all.add(keys.map(String).join());
    sum += keys.length + Object.keys(made).length + JSON.stringify(Object.getOwnPropertyDescriptors(made)).length;
    if (Object.isExtensible(made)) made.more = i % 2;
  }
  console.log(name, sum, [...all].join(' | '), seen(make(7)));
}

// What the program does to built-ins and prototypes does not reach the recorder's own classes.
const { construct, getPrototypeOf } = Reflect;
Reflect.construct = () => console.log('not ours to call');
Object.defineProperty = () => console.log('not ours to call');
Function.prototype.constructor = null;
Object.setPrototypeOf(Object.prototype.constructor, { get prototype() { return console.log('asked'), {}; } });
let total = 0;
for (let i = 0; i < 400; i++) total += ((p) => p.x + p.y.length)({ x: i, y: [i, i] });
console.log(total, getPrototypeOf({ total }) === Object.prototype, typeof construct);

try {
  ({ a: 1, b: 2 }).c();
} catch (error) {
  console.log(error.message);
}
const deep = (n) => ({ n, next: n > 0 ? deep(n - 1) : null });
try {
  deep(1e6);
} catch (error) {
  console.log(error instanceof RangeError, JSON.stringify(deep(3)));
}
