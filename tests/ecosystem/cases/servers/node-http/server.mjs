import cluster from 'node:cluster';
import http from 'node:http';
import { once } from 'node:events';

const server = http.createServer(async (req, res) => {
  let body = '';
  for await (const part of req) body += part;
  if (req.url === '/throws') { res.statusCode = 500; return res.end(new Error('x').stack.split('\n')[1]); }
  res.setHeader('content-type', 'text/plain').end(`${req.method} ${req.url} ${body} ${Object.keys(req.headers).sort()}`);
});
server.on('clientError', (error, socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
await once(server.listen(0), 'listening');
console.log(`listening on http://localhost:${server.address().port}`, cluster.isPrimary);
await once(process, 'SIGTERM');
await new Promise((resolve) => server.close(resolve));
console.log('closed');
