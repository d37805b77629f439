// Counts what each visitor put into the basket. The second visitor already has something in it.
const http = require('node:http');

const EMPTY = { pieces: 0, names: [] };
const baskets = new Map();

function basketOf(visitor) {
  // The defect: the copy shares its list of names with every other basket.
  if (!baskets.has(visitor)) baskets.set(visitor, { ...EMPTY });
  return baskets.get(visitor);
}

function add(visitor, name) {
  const basket = basketOf(visitor);
  basket.pieces += 1;
  basket.names.push(name);
  return basket;
}

const server = http.createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const basket = add(url.searchParams.get('visitor'), url.searchParams.get('name'));
  response.end(`${basket.pieces}: ${basket.names.join(', ')}\n`);
});
server.listen(process.env.PORT ?? 0, '127.0.0.1');
