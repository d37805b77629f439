// What refuses to copy a function shows its text.
const { MessageChannel } = require('worker_threads');
const v8 = require('v8');
function small(a) { return a + 1; }
function large(a, b) {
  const all = [];
  for (let i = a; i < b; i++) all.push(i * i);
  if (all.length > 10) all.length = 10;
  return all.map((n) => n + 1);
}
const { port1 } = new MessageChannel();
const ways = { structuredClone, port: (it) => port1.postMessage(it), serialize: (it) => v8.serialize(it) };
const things = [small, large, () => small(2), class A { m() { return 1; } }, { deep: { f() { return 2; } } }, Symbol('s')];
for (const [name, copy] of Object.entries(ways)) {
  for (const thing of things) {
    try {
      console.log(copy(thing));
    } catch (error) {
      console.log(name, error.constructor.name, error.name, error.code, error.message, error instanceof Error);
      console.log(error.stack.split('\n').filter((line) => !line.includes('node:internal')).join('\n'));
    }
  }
}
console.log(structuredClone({ a: [1] }), structuredClone.name, structuredClone.length, String(structuredClone));
port1.close();
