// policies: all | needed properties=w,p elements | properties
// Fields with keys that only the program knows, on objects that take no number, or refuse the field.
const key = 'w';
const symbol = Symbol('s');
class A { p = 1; [key] = 5; [symbol] = [key]; static [key] = this.name; [`${key}2`]; ['f' + key] = () => 1; }
const a = new A();
console.log(a, A.w, a.fw.name, Object.keys(a), String(A).length);
class Returns { constructor(o) { return o; } }
class B extends Returns { p = 2; [key] = 6; q; }
const traps = [];
const proxy = new Proxy({}, { defineProperty(o, k, d) { traps.push([k, d.value]); return Reflect.defineProperty(o, k, d); }, getPrototypeOf(o) { traps.push('prototype'); return Reflect.getPrototypeOf(o); } });
new B(proxy);
console.log(traps);
const { proxy: revoked, revoke } = Proxy.revocable([], {});
revoke();
for (const o of [revoked, Object.freeze([]), Object.freeze({}), new Uint8Array(2), [1, 2], function f() {}]) {
  try {
    console.log(new B(o).w, Object.keys(o));
  } catch (e) {
    console.log(e.message);
  }
}
class List extends Array { owner; [key] = 1; }
const list = List.from('abc').concat(['d']);
console.log(list, list.length, list instanceof List, List.of(1).map((n) => n + 1));
