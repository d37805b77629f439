// Who started this thread: a worker that the program or a library starts belongs to it, one that a tool starts is the tool's.
'use strict';
const { getEnvironmentData, isMainThread, setEnvironmentData } = require('worker_threads');

// Data of this name goes to the next worker alone. Nobody can list such data.
const STARTER = 'wherefore:starter';
const ENTRY = 'wherefore:entry';
let starter;
let entry;

// In the thread that starts a worker, before it does.
function announce(native, name) {
  setEnvironmentData(STARTER, native.callerIfRecorded());
  setEnvironmentData(ENTRY, typeof name === 'string' ? name : hrefOf(name));
}

function forget() {
  setEnvironmentData(STARTER, undefined);
  setEnvironmentData(ENTRY, undefined);
}

// In the worker.
function learn() {
  if (isMainThread) return;
  starter = getEnvironmentData(STARTER);
  entry = getEnvironmentData(ENTRY);
  forget();
}

// What the entry of this worker was asked for by, if that is recorded code.
const parentOfWorker = () => (starter === undefined ? undefined : `P${starter}`);

const entryOfWorker = () => entry;

module.exports = { announce, forget, learn, parentOfWorker, entryOfWorker };

const getHref = Reflect.getOwnPropertyDescriptor(URL.prototype, 'href').get;

function hrefOf(name) {
  try {
    return Reflect.apply(getHref, name, []);
  } catch {
    return undefined;
  }
}
