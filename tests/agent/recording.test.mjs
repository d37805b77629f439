// Under a policy that names functions: the program still cannot tell, and the report says more.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { KEY, POLICY_ID as ID, idle, outcome, policyOf, program, run, server, unchanged } from './support.mjs';

const SHOP = {
  'main.js': `const { Cart } = require('./cart');
const cart = new Cart();
for (let i = 0; i < 3; i++) cart.add('pen' + i, i);
process.on('exit', (code) => console.log('exit', code, new Error('at exit').stack.split('\\n')[1].trim()));
console.log(cart.add.toString().length, Object.keys(cart), String(Cart).length);
setTimeout(function later() { cart.total(); }, 1);
`,
  'cart.js': `class Cart {
  constructor() {
    this.lines = {};
  }
  add(sku, count) {
    if (count > 1) this.lines[sku] = { count };
    return this;
  }
  total() {
    return this.lines.reduce((sum, line) => sum + line.count, 0);
  }
}
exports.Cart = Cart;
`,
};

test('a policy is applied to code that is loaded from then on, and the program is as it was', async (t) => {
  const folder = program(t, SHOP);
  const collector = await server(t, unchanged);
  const plain = await run(folder);
  const agent = idle(folder, collector.url, { time: 2000 });
  assert.deepEqual(outcome(await run(folder, { agent })), outcome(plain));
  const [first] = await collector.reports();
  assert.deepEqual([first.policy, first.labels, first.spent.events], [null, [], 0]);
  fs.writeFileSync(agent.cache, `7\n"one"\n${policyOf(first.stack)}`);
  const files = fs.readdirSync(folder).sort();
  assert.deepEqual(outcome(await run(folder, { agent })), outcome(plain));
  const [, second] = await collector.reports(2);
  assert.equal(second.policy, ID);
  assert.ok(second.spent.events > 0);
  assert.deepEqual(second.stack, first.stack);
  const labels = second.labels.map(({ label, site, function: f }) => `${label} ${(site ?? f).file}:${(site ?? f).line}`);
  assert.equal(labels.at(-1), 'crash cart.js:10');
  assert.ok(second.labels.length > 1 && second.wanted.length > 0, labels.join('\n'));
  // Nothing was written but what the operator named.
  assert.deepEqual(fs.readdirSync(folder).sort(), files);
});

test('a policy that is not in a file comes into memory, for code that is loaded later', async (t) => {
  const folder = program(t, { ...SHOP, 'main.js': `const { existsSync } = require('fs'); const wait = () => { if (existsSync('given') || process.argv[2] === 'now') require('./shop.js'); else setTimeout(wait, 50); }; wait();`, 'shop.js': SHOP['main.js'] });
  const plain = await run(folder, { args: ['now'] });
  const none = policyOf([]);
  let policy = none;
  const collector = await server(t, (request, response) => {
    if (request.method === 'POST') response.writeHead(202).end('{}');
    else {
      response.writeHead(200, { etag: '"a"' }).end(policy);
      // Nobody outside sees when the program has it: a second after it was sent.
      if (policy !== none) setTimeout(() => fs.writeFileSync(path.join(folder, 'given'), ''), 1000);
    }
  });
  const agent = { url: collector.url, key: KEY, jitter: 0, time: 2000 };
  await run(folder, { args: ['now'], agent });
  policy = policyOf((await collector.reports())[0].stack);
  const { stderr, end } = await run(folder, { agent });
  assert.deepEqual({ stderr, end }, { stderr: plain.stderr, end: plain.end });
  const [, second] = await collector.reports(2);
  assert.equal(second.policy, ID);
  assert.ok(second.spent.events > 0);
});

test('a path grows from crash to crash until it begins with the birth of the object', async (t) => {
  const folder = program(t, SHOP);
  const collector = await server(t, unchanged);
  const agent = idle(folder, collector.url, { time: 2000 });
  const functions = [];
  let report;
  for (let n = 1; n <= 6 && report?.labels[0]?.label !== 'start'; n++) {
    await run(folder, { agent });
    report = (await collector.reports(n)).at(-1);
    functions.push(...report.stack, ...report.wanted);
    fs.writeFileSync(agent.cache, `7\n\n${policyOf(functions)}`);
  }
  const { site } = report.labels[0];
  assert.deepEqual([report.labels[0].label, site.file, site.line], ['start', 'cart.js', 3]);
  assert.equal(report.labels.at(-1).label, 'crash');
});

test('memory is bounded, and the newest events are kept', async (t) => {
  const folder = program(t, {
    'main.js': `function work(i) { return i % 3 === 0 ? { i } : [i]; }
let last;
for (let i = 0; i < 3e6; i++) last = work(i);
console.log(last, process.memoryUsage.rss() < 300e6);
work(3).i.x.y;
`,
  });
  const collector = await server(t, unchanged);
  const agent = idle(folder, collector.url, { time: 2000 });
  const plain = await run(folder, { agent });
  const [first] = await collector.reports();
  fs.writeFileSync(agent.cache, `7\n\n${policyOf(first.stack)}`);
  assert.deepEqual(outcome(await run(folder, { agent })), outcome(plain));
  const [, second] = await collector.reports(2);
  assert.ok(second.spent.events > 3e6, `${second.spent.events} events`);
});

test('workers record for themselves', async (t) => {
  const folder = program(t, { ...SHOP, 'main.js': `const { Worker } = require('worker_threads'); new Worker('./worker.js').on('error', (e) => { console.log(e.stack); });`, 'worker.js': SHOP['main.js'] });
  const collector = await server(t, unchanged);
  const plain = await run(folder);
  const agent = idle(folder, collector.url, { time: 2000 });
  await run(folder, { agent });
  const [first] = await collector.reports();
  fs.writeFileSync(agent.cache, `7\n\n${policyOf(first.stack)}`);
  assert.deepEqual(outcome(await run(folder, { agent })), outcome(plain));
  const [, second] = await collector.reports(2);
  assert.equal(second.policy, ID);
  assert.deepEqual(second.stack, first.stack);
});

test('a policy whose budget is spent records nothing of what is loaded later', async (t) => {
  // More events than a chunk of the memory holds, and then code that is loaded late.
  const folder = program(t, {
    'main.js': `function work(i) { return i < 0 ? i.x.y : [i]; }
if (process.argv[2] === 'early') work(-1);
for (let i = 0; i < 2e5; i++) work(i);
require('./late.js');
`,
    'late.js': `function late(cart) { if (cart) return cart.lines.length; }\nlate({});\n`,
  });
  const collector = await server(t, unchanged);
  const agent = idle(folder, collector.url, { time: 2000 });
  const plain = await run(folder, { agent });
  await run(folder, { agent, args: ['early'] });
  const functions = (await collector.reports(2)).flatMap(({ stack }) => stack);
  const nInLate = async (budget, n) => {
    fs.writeFileSync(agent.cache, `7\n\n${JSON.stringify({ ...JSON.parse(policyOf(functions)), budget })}`);
    assert.deepEqual(outcome(await run(folder, { agent })), outcome(plain));
    const { labels, policy } = (await collector.reports(n)).at(-1);
    assert.equal(policy, ID);
    return labels.filter(({ label, function: f }) => label === 'enter' && f.file === 'late.js').length;
  };
  assert.ok(await nInLate(1, 3) > 0);
  assert.equal(await nInLate(0, 4), 0);
});
