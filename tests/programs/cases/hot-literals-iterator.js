// Literals that are made often are numbered by a class of the recorder's; what a program does to the iterators of arrays is no
// concern of it.
// policies: all | needed properties=a,b,calls
'use strict';
const { values } = Array.prototype;
let calls = 0;
Array.prototype[Symbol.iterator] = function () {
  calls++;
  const literal = { calls, list: [calls] };
  return Reflect.apply(values, this, literal.list.length > 5 ? literal.list : []);
};
const make = (i) => ({ a: i, b: [i, { i }] });
let sum = 0;
for (let i = 0; i < 500; i++) sum += make(i).b[0];
const before = calls;
delete Array.prototype[Symbol.iterator];
for (let i = 0; i < 500; i++) sum += make(i).b[0];
process.stdout.write(`${sum} ${before}\n`);
