// Servers that are away, slow, or answer garbage: the program does not notice.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { KEY, idle, outcome, program, run, server, takes } from './support.mjs';

const CRASH = { 'main.js': `console.log('begins');\nfunction f(o) { return o.a.b; }\nf({});\n` };
const FINE = { 'main.js': `setTimeout(() => console.log('well'), 20);` };

const huge = Buffer.alloc(3 << 20, 0x20);
const ANSWERS = {
  'never answers': () => {},
  'hangs up': (_, response) => response.destroy(),
  'fails': (_, response) => response.writeHead(500).end('no'),
  'answers with garbage': (_, response) => response.writeHead(200, { etag: 'x'.repeat(5000) }).end('\u0000{]garbage'),
  'answers without end': (_, response) => response.writeHead(200).end(huge),
  'sends elsewhere': (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
  'has lost the key': (_, response) => response.writeHead(401).end('{}'),
};

for (const [name, answer] of Object.entries(ANSWERS)) {
  test(`a server that ${name}`, async (t) => {
    const collector = await server(t, answer);
    for (const files of [CRASH, FINE]) {
      const folder = program(t, files);
      const plain = await run(folder);
      for (const agent of [idle(folder, collector.url, { refresh: 0 }), { url: collector.url, key: KEY, jitter: 0 }]) {
        const watched = await run(folder, { agent });
        assert.deepEqual(outcome(watched), outcome(plain));
      }
    }
    await collector.first('POST', 2);
    assert.equal(collector.requests.filter((request) => request.method === 'POST').length, 2);
  });
}

test('a server that is away, or is none', async (t) => {
  const silent = net.createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => silent.close());
  for (const url of ['http://127.0.0.1:9', 'http://no.such.host.invalid', `http://127.0.0.1:${silent.address().port}`, 'nonsense', 'file:///etc/passwd', 'ftp://x']) {
    for (const files of [CRASH, FINE]) {
      const folder = program(t, files);
      const plain = await run(folder);
      const watched = await run(folder, { agent: { ...idle(folder, url), refresh: 0 } });
      assert.deepEqual(outcome(watched), outcome(plain), url);
    }
  }
});

test('the crash does not wait for the server', async (t) => {
  const folder = program(t, CRASH);
  const collector = await server(t, () => {});
  const times = { plain: [], watched: [] };
  for (let i = 0; i < 5; i++) {
    times.plain.push((await run(folder)).ms);
    times.watched.push((await run(folder, { agent: idle(folder, collector.url) })).ms);
  }
  const more = Math.min(...times.watched) - Math.min(...times.plain);
  assert.ok(more < 500, `${more} ms more`);
});

test('the policy is asked for with the tag of the last one', async (t) => {
  const folder = program(t, FINE);
  const cache = path.join(folder, 'policy.cache');
  const policy = '{"version":1,"id":"00000000-0000000000000000","labels":4096,"files":[],"bugs":[]}';
  const collector = await server(t, (request, response) => {
    if (request.headers['if-none-match'] === '"one"') response.writeHead(304).end();
    else response.writeHead(200, { etag: '"one"' }).end(policy);
  });
  const agent = { url: collector.url, key: KEY, cache, refresh: 0, jitter: 0 };
  await run(folder, { agent });
  const [first] = await collector.first('GET');
  assert.match(first.url, /^\/v1\/policy\?release=1\.2\.3&cohort=\d{1,3}$/);
  assert.equal(first.headers['if-none-match'], undefined);
  for (const end = Date.now() + 10_000; !fs.readFileSync(cache, 'utf8').includes('"one"') && Date.now() < end;) await new Promise((resolve) => setTimeout(resolve, 20));
  await run(folder, { agent });
  const [, second] = await collector.first('GET', 2);
  assert.equal(second.headers['if-none-match'], '"one"');
  // The cohort was drawn once.
  assert.equal(second.url, first.url);
  assert.equal(fs.statSync(cache).mode & 0o077, 0);
  // A cache that is new is not asked about.
  await run(folder, { agent: { ...agent, refresh: 1000 } });
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(collector.requests.length, 2);
});

test('many that start at once ask once', async (t) => {
  const folder = program(t, FINE);
  const collector = await server(t, takes);
  const agent = { url: collector.url, key: KEY, cache: path.join(folder, 'policy.cache'), refresh: 1000, jitter: 0 };
  await run(folder, { agent });
  await Promise.all([1, 2, 3].map(() => run(folder, { agent })));
  await collector.first('GET');
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(collector.requests.length, 1);
});
