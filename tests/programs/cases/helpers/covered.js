'use strict';
function total(items, { discount = 0, rate } = {}) {
  let sum = 0;
  for (const item of items) {
    if (item.free) continue;
    sum += item.price * (item.count ?? 1);
  }
  if (sum > 100) {
    return sum - 5;
  }
  return rate ? sum * rate : sum - discount;
}
const never = () => { throw new Error('no'); };
class Counter { static made = 0; #n = 0; add(x) { try { return x.y.z; } catch { return 0; } finally { this.#n += 1; } } none() {} get n() { return this.#n; } }
async function later(x) { await x; if (!x) return 1; return 2; }
function* numbers(n) { for (let i = 0; i < n; i++) { if (i === 1) yield 'one'; else yield i; } }
function early(x) { if (x) { return 'early'; } else { x = 1; } switch (x) { case 1: return 'one'; default: return 'other'; } }
function ends(x) { while (true) { if (x++ > 2) break; } do { x--; } while (x > 0); label: { if (x === 0) break label; x = 5; } return x; }
console.log(total([{ price: 2 }, { free: true }, { price: 3, count: 2 }]), new Counter().add(), later(1) instanceof Promise, [...numbers(3)], early(0), early(1), ends(0), typeof never);
const pairs = [[1, 'a'], [2, 'ä€😀']].map(([n, text]) => (n > 1 && text ? text : n)); pairs.forEach(function (y) { if (y === 1) { y++; } else { y = null; } });
switch (process.argv.length) { case 1: console.log('a'); break; case 2: console.log('b'); default: console.log('c'); }
const object = { get g() { return 1; }, m(a = () => 1) { return a(); }, f: function () { return this?.g ?? 0; } }; object.m(); object.f();
if (process.argv[2] === 'twice') { require('v8').takeCoverage(); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20); total([{ price: 200 }]); }
