// Messages between threads (workers and their parents) and between processes with an IPC channel.
'use strict';
const { EventEmitter } = require('events');
const workers = require('worker_threads');
const { types } = require('util');
const { intercept } = load('load/hide.cjs');
const channels = load('load/channels.cjs');
const { quietly } = channels;
const { SafeWeakMap, append, startsWith } = load('load/primordials.cjs');

const { apply, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const { MessagePort } = workers;
const { isProxy } = types;
const threadIdOf = getOwnPropertyDescriptor(workers.Worker.prototype, 'threadId')?.get ?? (() => 0);
const symbolDescription = getOwnPropertyDescriptor(Symbol.prototype, 'description').get;

// The two channels of a port, or of a process at the other end of an IPC channel: { out, in }.
const ends = new SafeWeakMap();
// The ports that something is being posted on, innermost last.
const posting = [];

function install({ isMainThread, threadId }) {
  if (!isMainThread && workers.parentPort !== null) {
    const name = `worker ${process.pid} ${threadId}`;
    ends.set(workers.parentPort, pair(`${name} up`, `${name} down`));
  }
  intercept(globalThis.EventTarget.prototype, Symbol.for('nodejs.internal.kHybridDispatch'), {
    before: quietly(function (value, type) {
      if (type === 'message') dispatched(this, value);
    }),
  });
  if (isMainThread && typeof process.send === 'function') knowOther(process, `ipc ${process.pid} up`, `ipc ${process.pid} down`);
}

// Of `MessagePort.prototype.postMessage`. It is told before it is done: the receiver may end the process at once. What cannot be cloned
// was not sent, and the next message has its number.
const posts = {
  before(message) {
    const end = ends.get(this);
    append(posting, end);
    if (end !== undefined) channels.sent(end.out, 1, message);
  },
  after() {
    posting.length--;
  },
  failed() {
    const end = posting[posting.length - 1];
    posting.length--;
    if (end !== undefined) end.out.at--;
  },
};

// A worker was made: the port of its messages is a property of it that no reflection by name finds.
function knowWorker(worker) {
  const keys = ownKeys(worker);
  for (let i = 0; i < keys.length; i++) {
    if (typeof keys[i] !== 'symbol' || apply(symbolDescription, keys[i], []) !== 'kPublicPort') continue;
    const port = getOwnPropertyDescriptor(worker, keys[i])?.value;
    const threadId = apply(threadIdOf, worker, []);
    if (typeof port === 'object' && port !== null && getPrototypeOf(port) === MessagePort.prototype && threadId > 0) {
      const name = `worker ${process.pid} ${threadId}`;
      ends.set(port, pair(`${name} down`, `${name} up`));
    }
  }
}

// A child was started. What it says and is told goes by its number.
function knowChild(child) {
  if (typeof child.pid !== 'number' || child.channel === undefined || child.channel === null) return;
  knowOther(child, `ipc ${child.pid} down`, `ipc ${child.pid} up`);
}

module.exports = { install, posts, knowWorker: quietly(knowWorker), knowChild };

function pair(out, incoming) {
  return { out: channels.open(out), in: channels.open(incoming) };
}

function dispatched(port, value) {
  const end = isObject(port) ? ends.get(port) : undefined;
  if (end !== undefined) channels.received(end.in, 1, value);
}

// A process at the other end of an IPC channel.
function knowOther(target, out, incoming) {
  const end = pair(out, incoming);
  ends.set(target, end);
  watchEmit();
  intercept(target, 'send', {
    before: quietly(function (message) {
      // The other end does not hand these to the program.
      const isInternal = isObject(message) && !isProxy(message) && isOfNode(message);
      if (message !== undefined && !isInternal && target.connected) channels.sent(end.out, 1, message);
    }),
  });
}

// Messages of processes are emitted, and by nothing that could be told apart. Most programs emit much and have no such channel:
// so this waits for the first.
let isWatched = false;
function watchEmit() {
  if (isWatched) return;
  isWatched = true;
  intercept(EventEmitter.prototype, 'emit', {
    before: quietly(function (type, value) {
      if (type === 'message') dispatched(this, value);
    }),
  });
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

function isOfNode(message) {
  const cmd = getOwnPropertyDescriptor(message, 'cmd')?.value;
  return typeof cmd === 'string' && startsWith(cmd, 'NODE_');
}
