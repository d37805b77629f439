// Sets one thread (the main one, or a worker) up for recording.
'use strict';
const vm = require('vm');
const fs = require('fs');
const path = require('path');
const { types } = require('util');
const { threadId, isMainThread, isInternalThread } = require('worker_threads');

// Room that an event may need behind the place where the recorder checks; see recorder/room.js.
const SLACK = 65536;

// What gets in and out besides code is of use to who asks about a whole run.
const ALL = ['channels', 'ports', 'sockets', 'tests', 'commonjs', 'esm', 'vm', 'children', 'workers', 'output', 'messages', 'inspector', 'crash', 'exit'];
const IN_PRODUCTION = ['commonjs', 'esm', 'vm', 'messages', 'crash', 'exit'];

// Gives the recorder, if the thread is recorded.
function start({ native, folder, environment, isInProduction = false }) {
  if (isInternalThread) return undefined;
  if (isLoaderThread()) {
    load('load/loader-thread.cjs').install({ native });
    return undefined;
  }
  const ring = native.openRing(threadId);
  if (ring === undefined) return undefined;
  const scripts = {
    builtins: script(folder, 'builtins.generated.js'),
    recorder: script(folder, 'recorder.generated.js'),
  };
  const context = { native, folder, environment, scripts, isMainThread, threadId, isInProduction };
  if (isMainThread) native.giveStack(2 * stackSize());
  load('load/hide.cjs').install(context);
  context.recorder = createRecorder(context, ring);
  load('load/realm.cjs').install(context);
  load('load/stack.cjs').install(context);
  for (const part of isInProduction ? IN_PRODUCTION : ALL) load(`load/${part}.cjs`).install(context);
  if (!isInProduction) native.watchCompiling(`${folder}/`);
  return context.recorder;
}

module.exports = { start };

// Instrumented functions need more stack: what the plain program could do must not overflow. In bytes, as V8 has it.
function stackSize() {
  const option = process.execArgv.findLast((arg) => /^--stack[-_]size=\d+$/.test(arg));
  return 1024 * (option === undefined ? 984 : Number(option.split('=')[1]));
}

// Node 20 runs preloads in the thread of its own module hooks too, and does not say that it is one.
function isLoaderThread() {
  if (isMainThread || isInternalThread !== undefined) return false;
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = Infinity;
  const { stack } = new Error();
  Error.stackTraceLimit = limit;
  return stack.includes('initializeHooks');
}

function createRecorder(context, [memory, chunkWords]) {
  const { native } = context;
  const state = new Float64Array([0, chunkWords - SLACK]);
  const evaluated = load('load/evaluated.cjs');
  return context.scripts.recorder.runInThisContext()({
    words: new Int32Array(memory),
    state,
    advance(cursor, frames, strings, symbols) {
      state[0] = native.advance(cursor, frames, strings, symbols);
      state[1] = state[0] + chunkWords - SLACK;
    },
    idSymbol: load('load/natives.cjs').privateSymbol(),
    addsByField: parseInt(process.versions.v8, 10) >= 14,
    siteNames: native.siteNames,
    isAssignment: native.isAssignment,
    arity: native.arity,
    isProxy: types.isProxy,
    otherKinds: [
      types.isMap, types.isSet, types.isDate, types.isRegExp, types.isNativeError, types.isPromise, types.isArrayBufferView,
      types.isAnyArrayBuffer, types.isBoxedPrimitive, types.isWeakMap, types.isWeakSet,
    ],
    isFiltered: native.isFiltered(),
    needed: native.neededKeys(),
    watchesDefinitions: true,
    opaque: [process, globalThis],
    entriesOf: entriesOf(native),
    mendMessage: load('load/messages.cjs').mendNative,
    x: (evalValue, text) => evaluated.directEval(context, evalValue, text),
  });
}

// What WeakMaps and WeakSets hold, if V8 tells it as we know it to.
function entriesOf(native) {
  const key = {};
  const ofMap = native.entriesOf(new WeakMap([[key, 'value']]));
  const ofSet = native.entriesOf(new WeakSet([key]));
  const isKnown = ofMap?.length === 2 && ofMap[0] === key && ofMap[1] === 'value' && ofSet?.length === 1 && ofSet[0] === key;
  return isKnown ? native.entriesOf : undefined;
}

function script(folder, name) {
  const filename = path.join(folder, name);
  return new vm.Script(fs.readFileSync(filename, 'utf8'), { filename });
}
