// What goes between threads and processes is watched: nothing of that shows on streams, ports, emitters or their functions.
'use strict';
const { EventEmitter } = require('events');
const { Readable, Writable, Duplex } = require('stream');
const net = require('net');
const http = require('http');
const child_process = require('child_process');
const { Worker, isMainThread, parentPort, MessageChannel } = require('worker_threads');

function shown(object, key) {
  const { value, ...flags } = Object.getOwnPropertyDescriptor(object, key);
  return [key.toString(), value.name, value.length, Object.getOwnPropertyNames(value).join(), JSON.stringify(flags), String(value).length];
}

if (!isMainThread) {
  parentPort.once('message', (m) => parentPort.postMessage({ keys: Reflect.ownKeys(m), stack: new Error('w').stack.split('\n').length }));
} else if (process.argv[2] === 'child') {
  process.once('message', (m) => {
    process.send({ keys: Reflect.ownKeys(m), own: Object.getOwnPropertyNames(process).includes('emit') }, () => process.disconnect());
  });
} else {
  const hybrid = Symbol.for('nodejs.internal.kHybridDispatch');
  for (const [object, key] of [
    [EventEmitter.prototype, 'emit'], [Readable.prototype, 'push'], [Writable.prototype, 'write'], [Writable.prototype, 'end'],
    [Duplex.prototype, 'end'], [net.Socket.prototype, '_writeGeneric'], [http.OutgoingMessage.prototype, 'write'],
    [http.OutgoingMessage.prototype, 'end'], [http.ClientRequest.prototype, 'onSocket'],
    [child_process.ChildProcess.prototype, 'spawn'], [EventTarget.prototype, hybrid],
  ]) {
    console.log(...shown(object, key));
  }
  console.log(Duplex.prototype.end === Writable.prototype.end, Object.hasOwn(net.Socket.prototype, 'emit'));

  const stack = () => new Error('here').stack.replace(/:\d+:\d+/g, '').replaceAll(__dirname, '');
  new EventEmitter().on('message', () => console.log(stack())).emit('message', {});
  const readable = new Readable({ read() {} });
  readable.on('data', (d) => console.log(d.toString(), Reflect.ownKeys(d).length));
  readable.push('pushed');
  new Writable({ write(c, e, done) { console.log(stack()); done(); } }).end('ended');

  const worker = new Worker(__filename);
  worker.on('message', (m) => console.log('worker', m, Reflect.ownKeys(m)));
  console.log(Object.getOwnPropertyNames(worker).join());
  worker.postMessage({ a: 1 });
  worker.on('exit', () => {
    const child = child_process.fork(__filename, ['child']);
    console.log(Object.keys(child).join(), child.send.name, child.send.length);
    child.on('message', (m) => console.log('child', m));
    child.send({ b: 2 });
    child.on('exit', serve);
  });
  const { port1, port2 } = new MessageChannel();
  port2.on('message', (m) => { console.log('port', m); port2.close(); });
  try { port1.postMessage(() => {}); } catch (error) { console.log(error.name); }
  port1.postMessage('p');
}

function serve() {
  const server = http.createServer((req, res) => {
    console.log(Object.keys(req.socket).join(), Object.keys(res).join());
    req.on('data', (d) => res.write(d));
    req.on('end', () => res.end('!'));
  });
  server.listen(0, '127.0.0.1', () => {
    const req = http.request({ port: server.address().port, host: '127.0.0.1', method: 'POST', agent: false }, (res) => {
      res.on('data', (d) => console.log(String(d)));
      res.on('end', () => server.close());
    });
    req.on('socket', (socket) => console.log(Object.keys(socket).join()));
    req.write('one');
    req.end('two');
  });
}
