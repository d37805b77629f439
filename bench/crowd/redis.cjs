'use strict';
const net = require('net');
const { measure, scale } = require('./harness.cjs');
const redis = require('redis');
function bulk(s) { return '$' + s.length + '\r\n' + s + '\r\n'; }
const info = bulk('redis_version:2.8.0\r\nloading:0\r\n');
const hash = '*4\r\n' + bulk('alpha') + bulk('1') + bulk('beta') + bulk('2');
measure('redis', () => new Promise((resolve) => {
  const server = net.createServer((socket) => {
    socket.on('data', (data) => {
      const commands = data.toString('latin1').match(/\*\d+\r\n\$\d+\r\n\w+/g) ?? [];
      socket.write(commands.map((command) => (command.endsWith('info') ? info : hash)).join(''));
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const client = redis.createClient(server.address().port, '127.0.0.1', { detect_buffers: true });
    let left = scale(20000);
    let n = 0;
    const ask = () => client.hgetall('stats', (error, reply) => {
      n += Object.keys(reply).length;
      if (--left > 0) return ask();
      client.end();
      server.close();
      resolve(n);
    });
    ask();
  });
}));
