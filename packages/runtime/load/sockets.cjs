// Bytes between processes: sockets and pipes, by their offset; bodies of HTTP messages, by their offset in the message, because
// the server's parser takes the bytes of a connection before any code does.
'use strict';
const net = require('net');
const http = require('http');
const { Readable } = require('stream');
const { ChildProcess } = require('child_process');
const { types } = require('util');
const { intercept } = load('load/hide.cjs');
const channels = load('load/channels.cjs');
const { quietly } = channels;
const { knowChild } = load('load/ports.cjs');
const { SafeWeakMap, append, isArray, slice, startsWith } = load('load/primordials.cjs');

const { getPrototypeOf } = Reflect;
const { byteLength } = Buffer;
const { isView } = ArrayBuffer;
const { isProxy } = types;
const Socket = net.Socket.prototype;
const Incoming = http.IncomingMessage.prototype;

// Of a socket: { out, in, name: where from and to, requests: how many, waiting: what gets a name with it }.
const sockets = new SafeWeakMap();
// Of an HTTP message: { number, channel }.
const messages = new SafeWeakMap();

function install() {
  intercept(Readable.prototype, 'push', {
    before: quietly(function (chunk) {
      const kind = kindOf(this);
      if (kind === Socket) arrived(this, chunk);
      else if (kind === Incoming) bodyArrived(this, chunk);
    }),
  });
  intercept(Socket, '_writeGeneric', {
    before: quietly(function () {
      const known = sockets.get(this);
      if (known !== undefined) nameSocket(this, known);
    }),
  });
  for (const name of ['write', 'end']) {
    intercept(http.OutgoingMessage.prototype, name, {
      before: quietly(function (chunk, encoding) {
        bodySent(this, chunk, encoding);
      }),
    });
  }
  intercept(http.ClientRequest.prototype, 'onSocket', {
    before: quietly(function (socket) {
      if (kindOf(socket) === Socket) requestOn(this, socket);
    }),
  });
  const starting = [];
  intercept(ChildProcess.prototype, 'spawn', {
    before: quietly(function () {
      append(starting, this);
    }),
    after: quietly(function () {
      started(starting[starting.length - 1]);
      starting.length--;
    }),
    failed() {
      starting.length--;
    },
  });
}

// The program writes to a stream that is not its own output.
function written(stream, chunk, encoding) {
  if (kindOf(stream) !== Socket) return;
  const state = stream._writableState;
  if (state === undefined || state.ending || state.destroyed) return;
  const length = lengthOf(chunk, encoding ?? state.defaultEncoding);
  if (length === 0) return;
  const known = stateOf(stream);
  nameSocket(stream, known);
  channels.sent(known.out, length, channels.textOf(chunk));
}

// What a child that was waited for gave.
function ranSync(result) {
  if (typeof result?.pid !== 'number' || !isArray(result.output)) return;
  for (let fd = 1; fd <= 2; fd++) {
    const bytes = result.output[fd];
    if (!isView(bytes) || bytes.byteLength === 0) continue;
    // The program is given the one or the other.
    const name = `stdio ${result.pid} ${fd}`;
    channels.received(channels.open(name), bytes.byteLength, bytes);
    channels.received(channels.open(name), bytes.byteLength, channels.textOf(bytes));
  }
}

module.exports = { install, written: quietly(written), ranSync: quietly(ranSync) };

// What of these a stream is. A proxy is not asked.
function kindOf(stream) {
  if (typeof stream !== 'object' || stream === null || isProxy(stream)) return undefined;
  let prototype = getPrototypeOf(stream);
  for (let i = 0; i < 6 && prototype !== null && !isProxy(prototype); i++) {
    if (prototype === Socket || prototype === Incoming) return prototype;
    prototype = getPrototypeOf(prototype);
  }
  return undefined;
}

function stateOf(socket) {
  let known = sockets.get(socket);
  if (known === undefined) {
    known = { out: channels.open(), in: channels.open(), name: undefined, requests: 0, waiting: [] };
    sockets.set(socket, known);
  }
  return known;
}

// Once a socket is connected, its name is that of the connection.
function nameSocket(socket, known) {
  if (known.name !== undefined || socket.connecting) return;
  if (socket.fd === 0) return setName(known, '', `stdio ${process.pid} 0`);
  const handle = socket._handle;
  if (typeof handle?.getsockname !== 'function' || typeof handle.getpeername !== 'function') return;
  const here = {};
  const there = {};
  if (handle.getsockname(here) || handle.getpeername(there)) return;
  const a = addressOf(here);
  const b = addressOf(there);
  const layer = socket.encrypted ? 'tls' : 'tcp';
  setName(known, `${layer} ${a} to ${b}`, `${layer} ${b} to ${a}`);
}

function setName(known, out, incoming) {
  known.name = { out, in: incoming };
  if (out !== '') channels.giveName(known.out, out);
  channels.giveName(known.in, incoming);
  for (let i = 0; i < known.waiting.length; i++) nameMessage(known.waiting[i], known);
  known.waiting = [];
}

function addressOf({ address, port }) {
  return `${startsWith(address, '::ffff:') ? slice(address, 7) : address}:${port}`;
}

function arrived(socket, chunk) {
  const length = lengthOf(chunk);
  if (length === 0) return;
  const known = stateOf(socket);
  nameSocket(socket, known);
  if (known.in.isNamed) channels.received(known.in, length, valueFor(socket, chunk));
}

// What the program will be given: the bytes themselves, or text.
function valueFor(stream, chunk) {
  return stream._readableState?.encoding ? channels.textOf(chunk) : chunk;
}

function lengthOf(chunk, encoding) {
  if (typeof chunk === 'string') return byteLength(chunk, encoding);
  return isView(chunk) ? chunk.byteLength : 0;
}

// ------------------------------------------------------------------------------------------------------------------- HTTP

function messageOn(message, socket) {
  let known = messages.get(message);
  if (known === undefined) {
    known = { number: ++stateOf(socket).requests, out: undefined, in: undefined };
    messages.set(message, known);
  }
  return known;
}

function requestOn(request, socket) {
  const known = stateOf(socket);
  const message = messages.get(request) ?? { number: 0, out: channels.open(), in: undefined };
  message.number = ++known.requests;
  messages.set(request, message);
  nameSocket(socket, known);
  if (known.name === undefined) append(known.waiting, message);
  else nameMessage(message, known);
}

function nameMessage(message, known) {
  if (message.out !== undefined) channels.giveName(message.out, `http ${message.number} ${known.name.out}`);
}

function bodySent(message, chunk, encoding) {
  if (isProxy(message) || message.finished || message._hasBody === false) return;
  const length = lengthOf(chunk, typeof encoding === 'string' ? encoding : undefined);
  if (length === 0) return;
  const request = message.req;
  let known;
  if (kindOf(request) === Incoming && kindOf(request.socket) === Socket) {
    // An answer has the number of its request.
    known = messageOn(request, request.socket);
    known.out ??= channels.open();
    const connection = stateOf(request.socket);
    nameSocket(request.socket, connection);
    if (connection.name !== undefined) nameMessage(known, connection);
  } else {
    known = messages.get(message);
    if (known === undefined) messages.set(message, (known = { number: 0, out: channels.open(), in: undefined }));
  }
  channels.sent(known.out, length, channels.textOf(chunk));
}

function bodyArrived(message, chunk) {
  const { socket } = message;
  if (kindOf(socket) !== Socket) return;
  const isAnswer = typeof message.statusCode === 'number';
  const known = isAnswer ? messages.get(message.req) : messageOn(message, socket);
  const length = lengthOf(chunk);
  if (known === undefined || length === 0) return;
  const connection = stateOf(socket);
  nameSocket(socket, connection);
  if (connection.name === undefined) return;
  known.in ??= channels.open(`http ${known.number} ${connection.name.in}`);
  channels.received(known.in, length, valueFor(message, chunk));
}

// --------------------------------------------------------------------------------------------------------------- children

function started(child) {
  const { pid, stdio } = child;
  if (typeof pid !== 'number') return;
  knowChild(child);
  for (let fd = 0; fd <= 2 && isArray(stdio); fd++) {
    if (kindOf(stdio[fd]) !== Socket) continue;
    const known = stateOf(stdio[fd]);
    const name = `stdio ${pid} ${fd}`;
    known.name = { out: name, in: name };
    channels.giveName(fd === 0 ? known.out : known.in, name);
  }
}
