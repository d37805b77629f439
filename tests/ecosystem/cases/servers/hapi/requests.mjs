// Each reply, without the headers that differ from one run to the next.
const HIDDEN = new Set(['date', 'keep-alive']);

export default async function ask(address) {
  const lines = [];
  for (const [method, url, body, type = 'application/json'] of REQUESTS) {
    const reply = await fetch(address + url, { method, body, redirect: 'manual', headers: body === undefined ? {} : { 'content-type': type } });
    const headers = [...reply.headers].filter(([name]) => !HIDDEN.has(name)).map(([name, value]) => `${name}: ${value}`);
    lines.push(`${method} ${url}\n${reply.status} ${reply.statusText}\n${headers.join('\n')}\n\n${await reply.text()}\n`);
  }
  return lines.join('\n');
}

const REQUESTS = [
  ['GET', '/'],
  ['GET', '/items/1?full=1'],
  ['GET', '/items/99'],
  ['POST', '/items', '{"name":"ink","price":4}'],
  ['POST', '/items', '{"name":'],
  ['POST', '/items', '{"name":5}'],
  ['GET', '/stream'],
  ['GET', '/moved'],
  ['GET', '/throws'],
  ['GET', '/rejects'],
  ['GET', '/nothing/here'],
  ['DELETE', '/items/1'],
];
