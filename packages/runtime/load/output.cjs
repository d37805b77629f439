// Writes to stdout and stderr, so that a line of output leads to the event before it.
'use strict';
const fs = require('fs');
const { Writable, Duplex } = require('stream');
const { disguise, intercept, makeKnown, replace } = load('load/hide.cjs');
const { written } = load('load/sockets.cjs');
const { slice } = load('load/primordials.cjs');

const { apply } = Reflect;
const { byteLength, from } = Buffer;
const { isView } = ArrayBuffer;
const { utf8Slice } = Buffer.prototype;
// More text than this is not taken; its length is.
const MOST_TEXT = 65536;

function install({ recorder, isMainThread }) {
  let inStream = false;
  const note = (fd, chunk, encoding) => {
    if (typeof chunk === 'string') {
      const text = chunk.length > MOST_TEXT ? slice(chunk, 0, MOST_TEXT) : chunk;
      recorder.output(fd, byteLength(chunk, encoding), text);
    } else if (isView(chunk)) {
      recorder.output(fd, chunk.byteLength, textOf(chunk));
    }
  };
  const plainWrite = Writable.prototype.write;
  const { write } = {
    write(chunk, encoding) {
      const fd = this?._isStdio === true ? this.fd : isMainThread ? undefined : fdInWorker(this);
      if (fd !== 1 && fd !== 2) {
        written(this, chunk, typeof encoding === 'string' ? encoding : undefined);
        return apply(plainWrite, this, arguments);
      }
      note(fd, chunk, typeof encoding === 'string' ? encoding : undefined);
      const before = inStream;
      inStream = true;
      try {
        return apply(plainWrite, this, arguments);
      } finally {
        inStream = before;
      }
    },
  };
  disguise(write, plainWrite);
  makeKnown(write, plainWrite);
  for (const { prototype } of [Writable, Duplex]) {
    if (Object.hasOwn(prototype, 'write') && prototype.write === plainWrite) prototype.write = write;
  }
  // `end` does not call `write`.
  const plainEnd = Writable.prototype.end;
  const end = intercept(Writable.prototype, 'end', {
    before(chunk, encoding) {
      written(this, chunk, typeof encoding === 'string' ? encoding : undefined);
    },
  });
  if (Object.hasOwn(Duplex.prototype, 'end') && Duplex.prototype.end === plainEnd) Duplex.prototype.end = end;
  for (const name of ['writeSync', 'write']) {
    replace(fs, name, (plain) => ({
      method(fd, chunk) {
        if ((fd === 1 || fd === 2) && !inStream) note(fd, chunk);
        return apply(plain, this, arguments);
      },
    }));
  }
}

module.exports = { install };

// In a worker, stdout and stderr are streams to the main thread. To ask `process` for them makes them, so they are asked for
// only when such a stream is there.
function fdInWorker(stream) {
  if (stream?.constructor?.name !== 'WritableWorkerStdio') return undefined;
  return stream === process.stdout ? 1 : stream === process.stderr ? 2 : undefined;
}

function textOf(view) {
  const length = view.byteLength < MOST_TEXT ? view.byteLength : MOST_TEXT;
  return apply(utf8Slice, from(view.buffer, view.byteOffset, length), [0, length]);
}
