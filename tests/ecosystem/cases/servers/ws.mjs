import { once } from 'node:events';
import { WebSocket, WebSocketServer } from 'ws';

const server = new WebSocketServer({ port: 0, perMessageDeflate: true });
await once(server, 'listening');
server.on('connection', (socket, request) => {
  socket.on('message', (data, isBinary) => socket.send(isBinary ? data : `echo ${data} ${request.url}`));
  socket.on('close', (code, reason) => console.log('server: closed', code, `${reason}`));
});
const client = new WebSocket(`ws://localhost:${server.address().port}/path`);
await once(client, 'open');
for (const message of ['text', Buffer.from([1, 2, 3]), 'x'.repeat(5000)]) {
  client.send(message);
  const [data] = await once(client, 'message');
  console.log(data.length, data.toString().slice(0, 20));
}
client.close(4000, 'enough');
await once(client, 'close');
server.close();
const bad = new WebSocket('ws://localhost:1/');
bad.on('error', (error) => console.log(error.code ?? error.message));
