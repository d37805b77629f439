import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { html } from 'hono/html';
import { streamText } from 'hono/streaming';
import { validator } from 'hono/validator';

const app = new Hono();
const items = [{ name: 'pen', price: 4 }];
app.use(async (c, next) => { await next(); c.header('x-method', c.req.method); });
app.get('/', (c) => c.html(html`<h1>${items.length} <${'<items>'}</h1>`));
app.get('/items/:id', (c) => { const item = items[c.req.param('id') - 1]; if (!item) throw new HTTPException(404, { message: 'no item' }); return c.json({ ...item, ...c.req.query() }); });
app.post('/items', validator('json', (value, c) => (typeof value.name === 'string' ? value : c.text('name', 422))), (c) => { items.push(c.req.valid('json')); return c.json(items, 201); });
app.get('/stream', (c) => streamText(c, async (stream) => { await stream.write('one '); await stream.sleep(2); await stream.write('two'); }));
app.get('/moved', (c) => c.redirect('/', 301));
app.get('/throws', () => { throw new TypeError('thrown'); });
app.get('/rejects', async () => { await null; undefined.here; });
const server = serve({ fetch: app.fetch, port: 0 }, ({ port }) => console.log(`listening on http://localhost:${port}`));
process.on('SIGTERM', () => server.close(() => console.log('closed')));
