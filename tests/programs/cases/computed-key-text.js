// The text of methods begins at their key.
// policies: all | branches | calls | properties | needed properties=x
const o = { f: (k) => k, x: 'n' };
const c = true;
class A {
  [o.f(c ? 'k' : 'z')](a) { return a; }
  get [o.f(o.x = 'l')]() { return 1; }
  static async *[o.f?.('m')]() {}
}
const literal = { [c && 'p']() {}, set [o.f(o.x = 'q')](v) {}, plain() { return c ? 1 : 2; } };
const texts = (object) => Reflect.ownKeys(object).filter((key) => key !== 'constructor').map((key) => {
  const { value, get, set } = Object.getOwnPropertyDescriptor(object, key);
  return String(value ?? get ?? set);
});
console.log(texts(A.prototype), String(A.m), texts(literal));
