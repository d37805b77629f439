const fastify = require('fastify');
const fs = require('node:fs');

const app = fastify({ logger: false });
const items = [{ name: 'pen', price: 4 }];
fs.mkdirSync('public', { recursive: true });
app.register(require('@fastify/static'), { root: `${process.cwd()}/public`, prefix: '/public/' });
app.addHook('onSend', async (request, reply, payload) => { reply.header('x-route', request.routeOptions.url ?? 'none'); return payload; });
app.get('/', async (request, reply) => { reply.type('text/html'); return `<h1>${items.length} items</h1>`; });
const item = { type: 'object', required: ['name'], properties: { name: { type: 'string', pattern: '^[a-z]+$' }, price: { type: 'number' } } };
app.get('/items/:id', { schema: { params: { type: 'object', properties: { id: { type: 'integer' } } }, response: { 200: item } } }, async (request, reply) => items[request.params.id - 1] ?? reply.code(404).send({ error: 'no item' }));
app.post('/items', { schema: { body: item, response: { 201: { type: 'array', items: item } } } }, async (request, reply) => { items.push(request.body); reply.code(201); return items; });
app.get('/stream', (request, reply) => { reply.raw.write('one '); setTimeout(() => reply.raw.end('two'), 2); });
app.get('/moved', (request, reply) => reply.redirect('/', 301));
app.get('/throws', () => { throw new TypeError('thrown'); });
app.get('/rejects', async () => { await null; undefined.here; });
app.listen({ port: 0 }).then((address) => console.log(`listening on ${address.replace('[::1]', 'localhost')}`));
process.on('SIGTERM', () => app.close().then(() => console.log('closed')));
console.log(app.printRoutes === undefined);
