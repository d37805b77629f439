// A policy can name places to record, and nothing else. Whatever a server says, nothing runs and nothing breaks.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { KEY, idle, outcome, program, run, server, takes } from './support.mjs';

const PROGRAM = {
  'main.js': `const { total } = require('./cart');
console.log(String(total), Object.keys({}), ({}).polluted, globalThis.ran, [].x, process.listenerCount('uncaughtException'));
try { total({}); } catch (e) { console.log(e.stack.split('\\n').slice(0, 3).join('|')); }
console.log(total({ lines: [1, 2] }));
null.x;
`,
  'cart.js': `exports.total = function total(cart) {
  let sum = 0;
  for (const line of cart.lines) sum += line;
  return sum;
};
`,
};

const KEYS = '"0123456789abcdef"';
const policy = (files, more = '') => `{"version":1,"id":"00000000-0000000000000000","labels":4096,"files":${files},"bugs":[]${more}}`;
const file = (name, keys = KEYS) => `[{"file":${JSON.stringify(name)},"functions":[${keys}]}]`;
const RUNS = "require('fs').writeFileSync('ran','');globalThis.ran=1";

const HOSTILE = {
  'nothing': '',
  'no JSON': '\u0000{',
  'another type': '"text"',
  'null': 'null',
  'a prototype': `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},${policy('[]').slice(1)}`,
  'a prototype in a file': policy(`[{"__proto__":{"polluted":1},"file":"cart.js","functions":[${KEYS}]}]`),
  'a file named __proto__': policy(file('__proto__')),
  'code as a key': policy(file('cart.js', JSON.stringify(RUNS))),
  'code as a file': policy(file(RUNS)),
  'code as an id': policy(file('cart.js')).replace('00000000-0000000000000000', RUNS.replaceAll('"', '')),
  'a path upwards': policy(file('../../../../etc/passwd')),
  'an absolute path': policy(file('/etc/passwd')),
  'a path with a zero': policy(file('a\u0000b')),
  'a key that no function has': policy(file('cart.js')),
  'Node itself': policy(file('node:internal/modules/cjs/loader')),
  'the agent': policy(file('packages/agent/register.cjs')),
  'deep': `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
  'huge': policy(file('cart.js', Array(60_000).fill(KEYS).join(','))),
  'many files': policy(`[${Array(5000).fill('{"file":"a.js","functions":[]}').join(',')}]`),
  'numbers beyond': policy(file('cart.js')).replace('4096', '1e400'),
  'fields that mean nothing': policy(file('cart.js'), `,"require":["./evil"],"eval":${JSON.stringify(RUNS)},"url":"http://127.0.0.1:9"`),
  'wrong types': policy('{"0":{"file":["cart.js"],"functions":{"length":1}}}'),
};

for (const [name, text] of Object.entries(HOSTILE)) {
  test(`a policy: ${name}`, async (t) => {
    const folder = program(t, PROGRAM);
    const collector = await server(t);
    const plain = await run(folder);
    const agent = idle(folder, collector.url);
    fs.writeFileSync(agent.cache, `7\n"x"\n${text}`);
    assert.deepEqual(outcome(await run(folder, { agent })), outcome(plain));
    assert.equal(fs.existsSync(path.join(folder, 'ran')), false);
    assert.equal((await collector.reports())[0].stack[0].file, 'main.js');
  });
}

test('hostile answers come to nothing on their way into the file or the memory', async (t) => {
  const texts = Object.values(HOSTILE);
  let n = 0;
  const collector = await server(t, (request, response) => {
    if (request.method === 'POST') takes(request, response);
    else response.writeHead(200, { etag: `"${n}"` }).end(texts[n++ % texts.length]);
  });
  const folder = program(t, { ...PROGRAM, 'main.js': `setTimeout(() => { ${PROGRAM['main.js']} }, 300);` });
  const plain = await run(folder);
  const agent = { url: collector.url, key: KEY, cache: path.join(folder, 'cache'), refresh: 0, jitter: 0 };
  const runs = texts.flatMap(() => [agent, { ...agent, cache: '' }]);
  for (let i = 0; i < runs.length; i += 6) {
    for (const watched of await Promise.all(runs.slice(i, i + 6).map((agent) => run(folder, { agent })))) {
      assert.deepEqual(outcome(watched), outcome(plain));
    }
  }
  assert.equal(fs.existsSync(path.join(folder, 'ran')), false);
});
