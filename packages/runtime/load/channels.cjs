// What goes from one thread or process to another. A channel keeps the order, and both ends can tell its name from what they
// know anyway: addresses and ports, process and thread numbers. So a message is known by its number and a byte by its offset,
// and nothing is added to what the program sends.
'use strict';
const { slice } = load('load/primordials.cjs');

const { apply } = Reflect;
const { from: bufferFrom } = Buffer;
const { isView } = ArrayBuffer;
const { utf8Slice } = Buffer.prototype;

const { SENT, RECEIVED, NAMED } = load('contract.generated.cjs').STEP;
// More text than this is not taken; its length is.
const MOST_TEXT = 4096;

let recorder;
let count = 0;

function install(context) {
  recorder = context.recorder;
}

function open(name) {
  const channel = { number: ++count, at: 0, isNamed: false };
  if (name !== undefined) giveName(channel, name);
  return channel;
}

function giveName(channel, name) {
  if (channel.isNamed) return;
  channel.isNamed = true;
  recorder.message(NAMED, channel.number, 0, 0, name);
}

function sent(channel, length, value) {
  recorder.message(SENT, channel.number, channel.at, length, value);
  channel.at += length;
}

function received(channel, length, value) {
  recorder.message(RECEIVED, channel.number, channel.at, length, value);
  channel.at += length;
}

// A hook of ours that never gets in the way of the program.
function quietly(hook) {
  return function (...args) {
    try {
      apply(hook, this, args);
    } catch {
      // What it would have told is not known then.
    }
  };
}

// Bytes as the other end can compare them: text, cut where it is long.
function textOf(chunk) {
  if (typeof chunk === 'string') return chunk.length > MOST_TEXT ? slice(chunk, 0, MOST_TEXT) : chunk;
  if (!isView(chunk)) return undefined;
  const length = chunk.byteLength < MOST_TEXT ? chunk.byteLength : MOST_TEXT;
  return apply(utf8Slice, bufferFrom(chunk.buffer, chunk.byteOffset, length), [0, length]);
}

module.exports = { install, quietly, open, giveName, sent, received, textOf };
