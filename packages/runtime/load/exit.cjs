// The end of a thread, after the last code of the program has run.
'use strict';
const { disguise } = load('load/hide.cjs');
const { addLine } = load('load/lines.cjs');
const { join, slice } = load('load/primordials.cjs');
const tests = load('load/tests.cjs');

function install({ native, recorder, isMainThread, environment, isInProduction }) {
  const { apply } = Reflect;
  const plain = process.emit;
  const { getActiveResourcesInfo } = process;
  // Node may print which top-level `await` of the entry is not settled, with an excerpt of its source: newer Nodes before
  // `exit`, older ones after it.
  const mayPrintAwait = () => isMainThread && process.mainModule === undefined;
  const { emit } = {
    emit(name) {
      if (this === process && (name === 'unhandledRejection' || name === 'uncaughtException')) tests.left(arguments[1]);
      if (this !== process || (name !== 'exit' && name !== 'beforeExit')) return apply(plain, this, arguments);
      if (name === 'exit' && isMainThread) native.releaseStderr();
      const result = apply(plain, this, arguments);
      const code = Number(process.exitCode ?? 0);
      if (name === 'exit') recorder.threadEnd(code);
      if (name === 'exit' && code !== 0 && isMainThread && !isInProduction) tell(environment.run, code);
      if (mayPrintAwait() && (name === 'exit' || getActiveResourcesInfo().length === 0)) native.holdStderr();
      return result;
    },
  };
  // On the prototype of `process`, where nobody looks for properties of its own.
  Object.defineProperty(Object.getPrototypeOf(process), 'emit', {
    __proto__: null, value: disguise(emit, plain), writable: true, configurable: true, enumerable: false,
  });
}

module.exports = { install };

const command = join(['node', ...process.argv.slice(1).map((word) => word.replace(/\s+/g, ' '))], ' ');
const LONGEST = 200;

// Of the processes of a command, which ended with an error.
function tell(run, code) {
  try {
    addLine(`${run}/exits.txt`, `${process.pid} ${code} ${slice(command, 0, LONGEST)}`);
  } catch {
    // The run may have been removed.
  }
}
