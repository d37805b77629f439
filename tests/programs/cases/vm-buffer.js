// Code that is given to node:vm as something other than a string.
const vm = require('node:vm');

const forms = {
  buffer: (text) => Buffer.from(text),
  bytes: (text) => ({ toString: () => text }),
  boxed: (text) => new String(text),
};
const code = 'o.x = [1, 2].map((n) => n * 2).length; (function named() { return arguments.callee.toString(); })()';
for (const [name, form] of Object.entries(forms)) {
  const o = {};
  console.log(name, vm.runInNewContext(form(code), { o }), o.x);
  console.log(name, vm.runInContext(form(code), vm.createContext({ o })), o.x);
  globalThis.o = o;
  console.log(name, vm.runInThisContext(form(code)), new vm.Script(form(code)).runInThisContext());
}
for (const given of [undefined, null, 5, 5n, true, [1], {}, Symbol('s'), new Uint8Array([49])]) {
  for (const run of ['runInNewContext', 'runInThisContext']) {
    try {
      console.log(run, typeof given, vm[run](given));
    } catch (error) {
      console.log(run, typeof given, error.name, error.message);
    }
  }
}
try {
  vm.runInNewContext({ toString() { throw new Error('no text'); } });
} catch (error) {
  console.log(error.message, error.stack.split('\n')[1].replace(/\(.*[\\/]/, '('));
}
