const { createServer } = require('node:http');
const { Server } = require('socket.io');
const { io } = require('socket.io-client');

const server = createServer();
const hub = new Server(server);
hub.use((socket, next) => next(socket.handshake.auth.token === 'wrong' ? new Error('refused') : undefined));
hub.on('connection', (socket) => {
  socket.join('room');
  socket.on('echo', (data, reply) => reply(data));
  socket.on('shout', (text) => hub.to('room').emit('heard', text.toUpperCase()));
  socket.on('bytes', (bytes, reply) => reply(Buffer.isBuffer(bytes), bytes.length));
  socket.on('disconnect', (reason) => { console.log('server:', reason); hub.close(() => console.log('closed')); });
});
server.listen(0, async () => {
  const url = `http://localhost:${server.address().port}`;
  const refused = io(url, { auth: { token: 'wrong' }, reconnection: false });
  await new Promise((resolve) => refused.on('connect_error', (error) => { console.log('refused:', error.message); resolve(); }));
  refused.close();
  for (const transports of [['websocket'], ['polling']]) {
    const client = io(url, { transports, forceNew: true });
    await new Promise((resolve) => client.on('connect', resolve));
    console.log(transports, await client.emitWithAck('echo', { a: [1, null, 'ü'] }), await new Promise((resolve) => client.emit('bytes', Buffer.from('abc'), (...args) => resolve(args))));
    const heard = new Promise((resolve) => client.on('heard', resolve));
    client.emit('shout', 'hello');
    console.log(await heard);
    if (transports[0] === 'polling') client.close();
    else { client.removeAllListeners(); }
    globalThis.clients = [...(globalThis.clients ?? []), client];
  }
  setTimeout(() => globalThis.clients.forEach((client) => client.close()), 50);
});
