'use strict';
const http = require('node:http');
const { route } = require('./lib/pages');

const server = http.createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = chunks.length ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
    const { status, value } = route(request.method, request.url, request.headers.cookie, body);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
    if (request.url === '/stop') server.close();
  });
});

server.listen(Number(process.env.PORT ?? 34711), '127.0.0.1', () => console.log('listening'));
