// The tests that a test runner ran, each with how it ended: what the runner itself says, at the moment at which it says it. Each runner has a
// file in runners/, which listens to the events that the runner has for its reporters. The runner's own code runs as it is.
//
// A test is kept with how many frames had been entered when it began and when it ended. From that the reader finds its events.
'use strict';
const { types } = require('util');
const { Script } = require('vm');
const { PREFIX } = load('contract.generated.cjs');
const { intercept } = load('load/hide.cjs');
const { addLine } = load('load/lines.cjs');
const { append, exec, includes, indexOf, join, map, matches, replaceAll, slice, split, startsWith } = load('load/primordials.cjs');

const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const { now } = Date;
const { prepareStackTrace } = Error;
const { toString } = Function.prototype;
const { runInThisContext } = Script.prototype;
const { fileURLToPath } = require('url');
const { relative } = require('path');
const { isProxy } = types;
// Where a runner starts a process for each file of tests, how those processes are known.
const isOfNode = process.env.NODE_TEST_CONTEXT === 'child-v8';
const isOfRunner = isOfNode || process.env.TAP === '1';
const script = process.argv[1];
const { cwd } = process;

// By the file that is loaded. CommonJS: the adapter is given what the module exports when it has run.
const RUNNERS = [
  [/[\\/]mocha[\\/]lib[\\/](?:runner\.js|mocha\.c?js)$/, 'mocha'],
  [/[\\/]jest-circus[\\/]build[\\/](?:runner|legacy-code-todo-rewrite[\\/]jestAdapter)\.js$|[\\/]jest-jasmine2[\\/]build[\\/]index\.js$/, 'jest'],
  [/[\\/]ava[\\/]lib[\\/]worker[\\/]channel\.cjs$/, 'ava'],
  [/[\\/](?:libtap[\\/]lib|@tapjs[\\/]core[\\/]dist[\\/]commonjs)[\\/]base\.js$/, 'tap'],
  [/[\\/]jasmine[\\/]lib[\\/]jasmine\.js$/, 'jasmine'],
  // In the process that starts the others: only when a round of tests is over.
  [/[\\/]@jest[\\/]reporters[\\/]build[\\/]index\.js$/, 'jest'],
  [/[\\/]playwright[\\/]lib[\\/](?:common[\\/](?:process|index)|reporters[\\/]internalReporter)\.js$/, 'playwright'],
];
// ES modules: it is given what the module calls by this name, when it has run.
const MODULES = [
  [/\/mocha\/lib\/runner\.js$/, 'mocha', /^class Runner\b/m, 'Runner'],
  [/\/(?:@vitest\/runner\/dist|vitest\/dist\/chunks)\/[^/]*\.js$/, 'vitest', /^(?:async )?function startTests\(/m, 'startTests'],
  [/\/vitest\/dist\/chunks\/[^/]*\.js$/, 'vitest', /^class TestRun\b/m, 'TestRun'],
  [/\/ava\/lib\/test\.js$/, 'ava', /^export default class Test\b/m, 'Test'],
  [/\/@tapjs\/core\/dist\/esm\/base\.js$/, 'tap', /^export class Base\b/m, 'Base'],
];
// The same for a class that a CommonJS module does not export.
const CLASSES = [[/[\\/]playwright[\\/]lib[\\/]runner[\\/]index\.js$/, 'playwright', /^var InternalReporter = class\b/m, 'InternalReporter']];
const ANY = /[\\/](?:mocha|jest-circus|jest-jasmine2|reporters|ava|libtap|core|jasmine|playwright|vitest|@vitest)[\\/]/;
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

// The text that is put behind a CommonJS module, if any.
function behind(content, filename) {
  if (context === undefined || !matches(ANY, filename)) return '';
  for (let i = 0; i < CLASSES.length; i++) {
    const known = CLASSES[i];
    if (!matches(known[0], filename) || !matches(known[2], content)) continue;
    openDoor();
    return `\n;${DOOR}("${known[1]}",${known[3]});`;
  }
  return '';
}

// An exception that ends the process: a file of tests failed as a whole.
function uncaught(error) {
  if (context === undefined || !context.isMainThread || !isOfRunner || typeof script !== 'string') return;
  hub.quietly(() => hub.end(hub.sinceStart(), 'failed', { key: hub.keyOfFile(script, isOfNode), titles: [], file: script, error }))();
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

// An exception that nobody caught, and that listeners of the process are told of.
function left(error) {
  told?.(error);
}

let told;

module.exports = { install, compiling, compiled, behind, loading, uncaught, left };

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

  // What was there from the start: a file that is loaded.
  sinceStart() {
    return { number: ++count, first: 0, last: undefined, started: undefined };
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
  //   limit     in milliseconds: the runner ended the test as it took longer; null where the limit is not known
  end(test, outcome, { key, titles, file, line, column, duration, error, message, stack, isFoundByStack, limit }) {
    const known = test ?? { number: ++count };
    const isFailed = outcome === 'failed';
    if (test !== undefined) hub.stop(test);
    const object = isFailed && !isFoundByStack ? numberOf(error) : undefined;
    const path = pathOf(file);
    let text = isFailed ? withoutColour(message ?? messageOf(error)) : '';
    if (isFailed && titles.length === 0 && line === undefined) {
      const place = placeOf(error, text, path);
      if (place?.file === path) line = place.line;
      else if (place !== undefined && !includes(text, place.file)) text += ` (${relative(currentFolder(), place.file)}:${place.line})`;
    }
    const fields = [
      numeral(context.threadId), numeral(known.number), isFailed && limit !== undefined ? `failed:${numeral(limit === null ? undefined : limit * 1000)}` : outcome, path, numeral(line), numeral(column), numeral(known.first),
      numeral(known.last), numeral(known.started), numeral(duration === undefined ? undefined : duration * 1000), numeral(object),
      slice(text, 0, MOST_MESSAGE),
      isFailed ? framesOf(withoutColour(stack ?? stackOf(error))) : '', key ?? '',
    ];
    for (let i = 0; i < titles.length; i++) append(fields, slice(`${titles[i]}`, 0, MOST_TITLE));
    context.native.test(join(map(fields, withoutNul), NUL));
  },

  // A runner that listens to what nobody catches, and blames no test for it.
  onUncaught(listener) {
    told = listener;
  },

  // A runner that may go on behind its tests says when a round of them begins, and when it is over.
  round(isOver) {
    addLine(`${context.environment.run}/rounds.txt`, `${process.pid} ${isOver ? 'end' : 'begin'}`);
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
  // Of a file as a whole, in the process that runs it and in the one that started that.
  // With `?` it counts if the process that reports says so, too: see crates/trace-format/src/tests_file.rs.
  keyOfFile: (file, isConfirmed) => `${isConfirmed ? '?' : 'file '}${pathOf(file)}`,
  // What the process that ran a file said of it as a whole does not count: the runner ignores it.
  withdraw(file) {
    hub.end(undefined, 'passed', { key: `-${hub.keyOfFile(file)}`, titles: [], file });
  },
};

// A test may have removed the folder that the process is in.
function currentFolder() {
  try {
    return cwd();
  } catch {
    return '/';
  }
}

// Where a text could not be parsed: as V8, Babel and Vite say it.
function placeOf(error, message, file) {
  const loc = dataOf(error, 'loc');
  const at = dataOf(loc, 'line');
  if (typeof at === 'number') {
    const named = dataOf(loc, 'file') ?? dataOf(error, 'id');
    return { file: typeof named === 'string' ? named : fileIn(message) ?? file, line: at };
  }
  const stack = stackOf(error);
  const found = stack !== '' ? exec(/^((?:file:\/\/)?\/[^\n]*):(\d+)\n/, stack) : null;
  if (found !== null) return { file: pathOf(found[1]), line: parseInt(found[2], 10) };
  // What is of this file, wherever the message says it.
  const named = typeof file === 'string' && file !== '' ? indexOf(message, `${file}:`) : -1;
  const line = named < 0 ? null : exec(/^(\d+)/, slice(message, named + file.length + 1));
  if (line !== null) return { file, line: parseInt(line[1], 10) };
  const inMessage = exec(/\((\d+):\d+\)/, message);
  return inMessage === null || !includes(message, 'SyntaxError') ? undefined : { file: fileIn(message) ?? file, line: parseInt(inMessage[1], 10) };
}

function fileIn(message) {
  return exec(/(?:^|\s)(\/[^\n:]*\.\w+):/, message)?.[1];
}

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
  if (typeof object === 'string') return undefined;
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
