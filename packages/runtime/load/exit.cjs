// The end of a thread, after the last code of the program has run.
'use strict';
const { disguise } = load('load/hide.cjs');

function install({ recorder }) {
  const { apply } = Reflect;
  const plain = process.emit;
  const { emit } = {
    emit(name) {
      const result = apply(plain, this, arguments);
      if (name === 'exit' && this === process) recorder.threadEnd(process.exitCode ?? 0);
      return result;
    },
  };
  disguise(emit, plain);
  // On the prototype of `process`, where nobody looks for properties of its own.
  Object.defineProperty(Object.getPrototypeOf(process), 'emit', {
    __proto__: null, value: emit, writable: true, configurable: true, enumerable: false,
  });
}

module.exports = { install };
