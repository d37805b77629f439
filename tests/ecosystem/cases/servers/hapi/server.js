const Hapi = require('@hapi/hapi');

const items = [{ name: 'pen', price: 4 }];
const app = Hapi.server({ port: 0, host: 'localhost', debug: { request: ['error'] } });
app.route([
  { method: 'GET', path: '/', handler: () => `<h1>${items.length} items</h1>` },
  { method: 'GET', path: '/items/{id}', handler: ({ params, query }, h) => (items[params.id - 1] ? { ...items[params.id - 1], ...query } : h.response('no item').code(404)) },
  { method: 'POST', path: '/items', handler: ({ payload }, h) => { items.push(payload); return h.response(items).code(201); } },
  { method: 'GET', path: '/moved', handler: (request, h) => h.redirect('/').permanent() },
  { method: 'GET', path: '/throws', handler: () => { throw new TypeError('thrown'); } },
  { method: 'GET', path: '/rejects', handler: async () => { await null; undefined.here; } },
]);
app.start().then(() => console.log(`listening on ${app.info.uri}`));
process.on('SIGTERM', () => app.stop().then(() => console.log('closed')));
