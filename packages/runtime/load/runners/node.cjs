// Node's own runner: the events that it has for reporters, as they are put into their stream.
'use strict';
const { Readable } = require('stream');
const { intercept } = load('load/hide.cjs');
const { SafeMap, append, exec, includes, sliceArray, startsWith } = load('load/primordials.cjs');

// Who is told of the events: of the tests of this process, and of the files of others.
let ofTests;
let ofFiles;
let isListening = false;

// In a process that runs tests.
function install(hub) {
  if (ofTests !== undefined) return;
  ofTests = eventsOfTests(hub);
  listen(hub);
}

// In the process that starts those in which tests run: what a file did as a whole, and when its tests are reported.
function installParent(hub) {
  let around = [];
  const isWatching = includes(process.execArgv, '--watch');
  if (isWatching) hub.round(false);
  ofFiles = (type, data) => {
    if (isWatching && type === 'test:watch:drained') hub.round(true);
    if (type === 'test:fail' && data.details?.error?.exitCode !== undefined) {
      const { exitCode, signal } = data.details.error;
      const file = data.file ?? data.name;
      const message = signal ? `the process of this file was ended by ${signal}` : `the process of this file ended with exit code ${exitCode}`;
      hub.end(undefined, 'failed', { key: hub.keyOfFile(file, true), titles: [], file, message: `${message}, and no test of it failed` });
    } else if (type === 'test:start') {
      around = sliceArray(around, 0, data.nesting);
      append(around, data.name);
    } else if ((type === 'test:pass' || type === 'test:fail') && ofTests === undefined) {
      // In which order they are reported is known here alone.
      ended(hub, undefined, type === 'test:pass', data, sliceArray(around, 0, data.nesting));
    }
  };
  listen(hub);
}

module.exports = { install, installParent };

// The class of that stream is known to nobody, so the one that it inherits from is watched until there is one.
function listen(hub) {
  if (isListening) return;
  isListening = true;
  const quiet = hub.quietly((stream, message) => {
    if (typeof message?.type !== 'string' || !startsWith(message.type, 'test:')) return;
    if (stream.constructor?.name !== 'TestsStream') return;
    ofFiles?.(message.type, message.data);
    ofTests?.(message.type, message.data);
  });
  intercept(Readable.prototype, 'push', {
    before(message) {
      quiet(this, message);
    },
  });
}

function eventsOfTests(hub) {
  // Tests that run, by what the runner tells of them.
  const running = new SafeMap();
  const done = new SafeMap();
  // The titles of the tests around the one that is being reported.
  let around = [];

  return (type, data) => {
    const key = `${data?.nesting}:${data?.file}:${data?.line}:${data?.column}:${data?.name}`;
    if (type === 'test:dequeue') put(running, key, hub.begin());
    else if (type === 'test:complete') {
      const test = take(running, key);
      if (test === undefined) return;
      hub.stop(test);
      put(done, key, test);
    } else if (type === 'test:start') {
      around = sliceArray(around, 0, data.nesting);
      append(around, data.name);
    } else if (type === 'test:pass' || type === 'test:fail') {
      // One that never began ran nothing; that it is told of here, and not by who reports it, is known by where it began.
      const test = take(done, key) ?? take(running, key) ?? hub.begin();
      ended(hub, test, type === 'test:pass', data, sliceArray(around, 0, data.nesting));
    }
  };
}

function ended(hub, test, isPassed, data, around) {
  const { error } = data.details ?? {};
  const failure = isPassed ? undefined : error?.failureType;
  // Of what only holds others nothing is to be told.
  if (failure === 'subtestsFailed' || (data.details?.type === 'suite' && failure !== 'hookFailed')) return;
  append(around, data.name);
  const outcome = isSaid(data.todo) ? 'todo' : isSaid(data.skip) || failure === 'cancelledByParent' ? 'skipped' : isPassed ? 'passed' : 'failed';
  const cause = error?.cause;
  hub.end(test, outcome, {
    key: keyOf(data),
    titles: around,
    file: data.file,
    line: data.line,
    column: data.column,
    duration: data.details?.duration_ms,
    error: typeof cause === 'object' && cause !== null ? cause : error,
    limit: failure === 'testTimeoutFailure' ? limitIn(error?.message) : undefined,
  });
}

function limitIn(message) {
  const said = exec(/timed out after (\d+)ms$/, `${message}`);
  return said === null ? null : parseInt(said[1], 10);
}

// By place and name, which several tests may share: `~` says that each is told of by its process and reported by the one that started that.
function keyOf({ file, line, column, name }) {
  return `~${file}:${line}:${column} ${name}`;
}

// `true`, or the reason.
function isSaid(directive) {
  return directive !== undefined && directive !== false;
}

function put(map, key, test) {
  const tests = map.get(key) ?? [];
  append(tests, test);
  map.set(key, tests);
}

function take(map, key) {
  const tests = map.get(key);
  if (tests === undefined || tests.length === 0) return undefined;
  map.set(key, sliceArray(tests, 1));
  return tests[0];
}
