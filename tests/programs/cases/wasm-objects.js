// Objects of WebAssembly take no property, and no number of ours.
// node: >=22
'use strict';
// (module (type $s (struct (field (mut i32)))) (func (export "make") (result (ref $s)) i32.const 7 struct.new $s))
const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 10, 2, 0x5f, 1, 0x7f, 1, 0x60, 0, 1, 0x64, 0, 3, 2, 1, 1, 7, 8, 1, 4, 109, 97, 107, 101, 0, 0,
  10, 9, 1, 7, 0, 0x41, 7, 0xfb, 0, 0, 0x0b];
const { make } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes))).exports;
const struct = make();
const holder = { a: struct, b: [struct] };
const same = (x) => x;
const list = [];
list.push(same(struct));
holder.a = struct;
const { a } = holder;
for (const write of [() => (struct.a = 1), (key = 'a') => (struct[key] = 1)]) {
  try {
    write();
  } catch (error) {
    console.log(error.message);
  }
}
console.log(typeof struct, list[0] === struct, a === struct);
