const Koa = require('koa');
const Router = require('@koa/router');
const { PassThrough } = require('node:stream');

const app = new Koa();
const router = new Router();
const items = [{ name: 'pen', price: 4 }];
app.use(async (ctx, next) => { await next(); ctx.set('x-method', ctx.method); });
app.use(async (ctx, next) => { try { await next(); } catch (error) { ctx.status = error.status ?? 500; ctx.body = { error: error.message, stack: error.stack.split('\n')[1] }; if (!error.expose) ctx.app.emit('error', error, ctx); } });
router.get('/', (ctx) => { ctx.body = `<h1>${items.length} items</h1>`; });
router.get('/items/:id', (ctx) => { const item = items[ctx.params.id - 1]; ctx.assert(item, 404, `no item ${ctx.params.id}`); ctx.body = { ...item, ...ctx.query }; });
router.post('/items', async (ctx) => { let text = ''; for await (const part of ctx.req) text += part; const item = JSON.parse(text); if (typeof item.name !== 'string') ctx.throw(422, 'name'); items.push(item); ctx.status = 201; ctx.body = items; });
router.get('/stream', (ctx) => { const stream = new PassThrough(); ctx.body = stream; stream.write('one '); setTimeout(() => stream.end('two'), 2); });
router.get('/moved', (ctx) => ctx.redirect('/'));
router.get('/throws', () => { throw new TypeError('thrown'); });
router.get('/rejects', async () => { await null; undefined.here; });
app.use(router.routes()).use(router.allowedMethods());
const server = app.listen(0, () => console.log(`listening on http://localhost:${server.address().port}`));
process.on('SIGTERM', () => server.close(() => console.log('closed')));
