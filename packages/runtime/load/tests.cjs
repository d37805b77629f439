// The tests that a test runner ran, each with how it ended: what the runner itself says, at the moment at which it says it. Each runner has a
// file in runners/, which listens to the events that the runner has for its reporters. The runner's own code runs as it is.
//
// A test is kept with how many frames had been entered when it began and when it ended. From that the reader finds its events.
'use strict';
const { types } = require('util');
const { Script } = require('vm');
const { PREFIX } = load('contract.generated.cjs');
const { intercept } = load('load/hide.cjs');
const { append, includes, join, map, matches, replaceAll, slice, split, startsWith } = load('load/primordials.cjs');

const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const { now } = Date;
const { prepareStackTrace } = Error;
const { toString } = Function.prototype;
const { runInThisContext } = Script.prototype;
const { fileURLToPath } = require('url');
const { isProxy } = types;

// By the file that is loaded. CommonJS: the adapter is given what the module exports when it has run.
const RUNNERS = [
  [/[\\/]mocha[\\/]lib[\\/]runner\.js$/, 'mocha'],
  [/[\\/]jest-circus[\\/]build[\\/](?:runner|legacy-code-todo-rewrite[\\/]jestAdapter)\.js$|[\\/]jest-jasmine2[\\/]build[\\/]index\.js$/, 'jest'],
  [/[\\/]ava[\\/]lib[\\/]worker[\\/]channel\.cjs$/, 'ava'],
  [/[\\/](?:libtap[\\/]lib|@tapjs[\\/]core[\\/]dist[\\/]commonjs)[\\/]base\.js$/, 'tap'],
  [/[\\/]jasmine[\\/]lib[\\/]jasmine\.js$/, 'jasmine'],
  [/[\\/]playwright[\\/]lib[\\/]common[\\/](?:process|index)\.js$/, 'playwright'],
];
// ES modules: it is given what the module calls by this name, when it has run.
const MODULES = [
  [/\/@vitest\/runner\/dist\/[^/]*\.js$/, 'vitest', /^(?:async )?function startTests\(/m, 'startTests'],
  [/\/ava\/lib\/test\.js$/, 'ava', /^export default class Test\b/m, 'Test'],
  [/\/@tapjs\/core\/dist\/esm\/base\.js$/, 'tap', /^export class Base\b/m, 'Base'],
];
const ANY = /[\\/](?:mocha|jest-circus|jest-jasmine2|ava|libtap|core|jasmine|playwright|@vitest)[\\/]/;
const OF_NODE = 'node:test';

const MOST_MESSAGE = 4096;
const MOST_STACK_LINES = 12;
const MOST_TITLE = 1024;

let context;
let count = 0;
// Modules of runners that have not run to their end.
let waiting = [];

function install(theContext) {
  context = theContext;
  // The process that starts those in which the tests run.
  if (includes(process.execArgv, '--test')) adapter('node').installParent(hub);
}

// Before a CommonJS module is compiled.
function compiling(module, content, filename) {
  // In production nobody asks for tests.
  if (context === undefined) return;
  if (includes(content, OF_NODE)) adapter('node').install(hub);
  const name = runnerOf(filename);
  if (name !== undefined) append(waiting, { module, name });
}

// After one has run; which one is not known, as those that threw do not come here.
function compiled() {
  if (waiting.length === 0) return;
  const left = [];
  for (let i = 0; i < waiting.length; i++) if (!isTaken(waiting[i])) append(left, waiting[i]);
  waiting = left;
}

// Before an ES module is compiled: the text that is put behind it, if any.
function loading(content, url) {
  if (context === undefined) return undefined;
  if (includes(content, OF_NODE)) adapter('node').install(hub);
  if (!matches(ANY, url)) return undefined;
  for (let i = 0; i < MODULES.length; i++) {
    const known = MODULES[i];
    if (!matches(known[0], url) || !matches(known[2], content)) continue;
    openDoor();
    // A declared function can be replaced; a class stays what it is.
    const call = `${DOOR}("${known[1]}",${known[3]})`;
    return startsWith(known[3], 'start') ? `\n;${known[3]}=${call};` : `\n;${call};`;
  }
  return undefined;
}

// The name by which such a text finds us: a constant of the script scope, as the helpers of the recorder are.
const DOOR = `${PREFIX}listen`;
let isOpen = false;

function openDoor() {
  if (isOpen) return;
  isOpen = true;
  const open = apply(runInThisContext, new Script(`let ${DOOR};(f)=>{${DOOR}=f}`, { filename: 'wherefore:realm' }), []);
  open((name, value) => {
    try {
      return adapter(name).replaced(value, hub);
    } catch {
      return value;
    }
  });
}

module.exports = { install, compiling, compiled, loading };

function adapter(name) {
  return load(`load/runners/${name}.cjs`);
}

function runnerOf(filename) {
  if (!matches(ANY, filename)) return undefined;
  for (let i = 0; i < RUNNERS.length; i++) if (matches(RUNNERS[i][0], filename)) return RUNNERS[i][1];
  return undefined;
}

// Whether the module has what its adapter listens to.
function isTaken({ module, name }) {
  try {
    return adapter(name).listen(module.exports, hub);
  } catch {
    return true;
  }
}

// What the adapters use.
const hub = {
  // A test that begins now.
  begin() {
    return { number: ++count, first: frames(), last: undefined, started: now() * 1000 };
  },

  // Its code has run. Where that is not known, it is when its outcome is.
  stop(test) {
    test.last ??= frames();
  },

  // How a test ended; a later outcome of the same test takes the place of an earlier one.
  //   outcome   passed, failed, skipped, todo
  //   key       by which the runner knows the test in all processes, if it may run in more than one
  //   titles    of the suites around it, and its own
  //   file, line, column, duration (milliseconds), error (what was thrown, or an object with a message), stack (if the runner made one),
  //   isFoundByStack (what was thrown may have left another test)
  end(test, outcome, { key, titles, file, line, column, duration, error, message, stack, isFoundByStack }) {
    const known = test ?? { number: ++count };
    const isFailed = outcome === 'failed';
    if (test !== undefined) hub.stop(test);
    const object = isFailed && !isFoundByStack ? numberOf(error) : undefined;
    const fields = [
      numeral(context.threadId), numeral(known.number), outcome, pathOf(file), numeral(line), numeral(column), numeral(known.first),
      numeral(known.last), numeral(known.started), numeral(duration === undefined ? undefined : duration * 1000), numeral(object),
      isFailed ? slice(withoutColour(message ?? messageOf(error)), 0, MOST_MESSAGE) : '',
      isFailed ? framesOf(withoutColour(stack ?? stackOf(error))) : '', key ?? '',
    ];
    for (let i = 0; i < titles.length; i++) append(fields, slice(`${titles[i]}`, 0, MOST_TITLE));
    context.native.test(join(map(fields, withoutNul), NUL));
  },

  // What is done here must not get in the way of the runner.
  quietly: (hook) =>
    function (...args) {
      try {
        return apply(hook, this, args);
      } catch {
        return undefined;
      }
    },

  // As `intercept`, of a method that an object inherits.
  interceptInherited(object, key, hooks) {
    const value = object[key];
    if (typeof value !== 'function') return false;
    if (getOwnPropertyDescriptor(object, key) === undefined) {
      defineProperty(object, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
    }
    return intercept(object, key, hooks) !== undefined;
  },

  dataOf,
  plain: withoutColour,
};

function frames() {
  return context.recorder?.frames() ?? 0;
}

function numeral(number) {
  return typeof number === 'number' && number >= 0 && number < Number.MAX_SAFE_INTEGER ? `${number - (number % 1)}` : '';
}

function pathOf(file) {
  if (typeof file !== 'string') return '';
  return startsWith(file, 'file:') ? fileURLToPath(file) : file;
}

// Of an error that was recorded, its number; one that is only seen now is recorded now.
function numberOf(error) {
  return typeof error === 'object' && error !== null ? context.recorder?.numberSeen(error) : undefined;
}

// What an object holds under a key, without running a getter of the program.
function dataOf(object, key) {
  for (let at = object; at !== null && (typeof at === 'object' || typeof at === 'function'); at = getPrototypeOf(at)) {
    if (isProxy(at)) return undefined;
    const descriptor = getOwnPropertyDescriptor(at, key);
    if (descriptor !== undefined) return descriptor.get === undefined ? descriptor.value : gotten(object, descriptor.get);
  }
  return undefined;
}

// Newer versions of V8 have the stack of an error behind a getter of their own.
function gotten(object, get) {
  return includes(apply(toString, get, []), '[native code]') ? apply(get, object, []) : undefined;
}

function messageOf(error) {
  if (typeof error !== 'object' || error === null) return typeof error === 'symbol' ? 'a symbol' : `${typeof error === 'function' ? 'a function' : error}`;
  const name = dataOf(error, 'name');
  const message = dataOf(error, 'message');
  if (typeof message !== 'string') return typeof name === 'string' ? name : '';
  return typeof name === 'string' && name !== '' && name !== 'Error' ? `${name}: ${message}` : message === '' ? `${name ?? ''}` : `Error: ${message}`;
}

// To ask for a stack that nobody asked for yet may call code of the program.
function stackOf(error) {
  if (typeof error !== 'object' || error === null || Error.prepareStackTrace !== prepareStackTrace) return '';
  const stack = dataOf(error, 'stack');
  return typeof stack === 'string' ? stack : '';
}

// The lines of a stack that name places.
function framesOf(stack) {
  if (typeof stack !== 'string') return '';
  const lines = split(stack, '\n');
  const found = [];
  for (let i = 0; i < lines.length && found.length < MOST_STACK_LINES; i++) {
    if (matches(/^\s*at |:\d+:\d+\)?$/, lines[i])) append(found, lines[i]);
  }
  return join(found, '\n');
}

// Some runners colour their messages.
function withoutColour(text) {
  return typeof text === 'string' ? replaceAll(text, COLOUR, () => '') : text;
}

const COLOUR = /\u001b\[[0-9;]*m/g;

// It separates the fields.
const NUL = '\0';

function withoutNul(text) {
  return includes(text, NUL) ? join(split(text, NUL), ' ') : text;
}
