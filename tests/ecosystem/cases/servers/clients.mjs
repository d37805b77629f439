import http from 'node:http';
import { once } from 'node:events';
import axios from 'axios';
import got from 'got';
import fetch from 'node-fetch';
import { request, Agent, fetch as undiciFetch, MockAgent, setGlobalDispatcher } from 'undici';
import { initTRPC, TRPCError } from '@trpc/server';

let calls = 0;
const server = http.createServer(async (req, res) => {
  let body = '';
  for await (const part of req) body += part;
  calls++;
  if (req.url === '/flaky' && calls % 2) { res.statusCode = 503; return res.end(); }
  if (req.url === '/404') { res.statusCode = 404; return res.end('{"error":"none"}'); }
  res.setHeader('content-type', 'application/json').end(JSON.stringify({ method: req.method, url: req.url, body, accept: req.headers.accept }));
}).listen(0);
await once(server, 'listening');
const url = `http://localhost:${server.address().port}`;
console.log((await axios.get(`${url}/a?b=1`)).data, (await axios.post(url, { x: 1 })).data);
await axios.get(`${url}/404`).catch((error) => console.log(error.name, error.message, error.response.data, error.code));
axios.interceptors.request.use((config) => { config.headers.accept = 'intercepted'; return config; });
console.log((await axios({ url })).data.accept);
console.log(await got(url).json(), await got.post(url, { json: { y: 2 }, retry: { limit: 0 } }).json());
await got(`${url}/404`).catch((error) => console.log(error.name, error.message, error.response.body));
console.log(await (await fetch(url)).json(), (await fetch(`${url}/404`)).status);
console.log(await (await undiciFetch(url)).json(), (await request(url, { method: 'PUT', body: 'text', dispatcher: new Agent({ keepAliveTimeout: 10 }) })).statusCode);
console.log(await (await globalThis.fetch(url, { method: 'POST', body: new URLSearchParams({ a: 'b' }) })).json());
const mock = new MockAgent();
mock.disableNetConnect();
mock.get('http://mocked').intercept({ path: '/' }).reply(200, { mocked: true });
setGlobalDispatcher(mock);
console.log(await (await undiciFetch('http://mocked/')).json());
await undiciFetch('http://mocked/none').catch((error) => console.log(error.message, error.cause?.message));
const t = initTRPC.create();
const router = t.router({ hello: t.procedure.input((value) => { if (typeof value !== 'string') throw new Error('no text'); return value; }).query(({ input }) => `hello ${input}`), refuse: t.procedure.mutation(() => { throw new TRPCError({ code: 'FORBIDDEN' }); }) });
const caller = t.createCallerFactory(router)({});
console.log(await caller.hello('you'), await caller.refuse().catch((error) => error.code), await caller.hello(5).catch((error) => error.message));
server.close();
server.closeAllConnections();
await mock.close();
