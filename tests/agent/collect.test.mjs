// The agent and a real `wherefore collect`: a crash, a policy that grows from crash to crash, the path, and nothing recorded after it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { outcome, program, run } from './support.mjs';

const WHEREFORE = process.env.WHEREFORE_COMMAND ?? path.join(path.dirname(fileURLToPath(import.meta.url)), '../../target/release/wherefore');
const LONGEST_MS = 20_000;
const MOST_CRASHES = 8;

const SHOP = {
  'main.js': `const { Cart } = require('./cart');
const cart = new Cart();
cart.add('pen', 1);
if (cart.isEmpty()) throw new Error('there is a pen');
console.log(cart.total());
`,
  'cart.js': `class Cart {
  constructor() {
    this.lines = emptyLines();
  }
  add(sku, count) {
    this.lines[sku] = { count };
  }
  isEmpty() {
    return Object.keys(this.lines).length === 0;
  }
  total() {
    return this.lines.reduce((sum, line) => sum + line.count, 0);
  }
}
function emptyLines() {
  return {};
}
exports.Cart = Cart;
`,
};

// What another release has: the same functions elsewhere, and one more.
const NEXT_RELEASE = {
  'package.json': '{"name":"shop","version":"1.2.4"}',
  'cart.js': `// Carts.\n\nfunction rounded(sum) {\n  return Math.round(sum * 100) / 100;\n}\n${SHOP['cart.js']}exports.rounded = rounded;\n`,
};

test('crash, report, policy, grown, found, switched off', async (t) => {
  const collector = await collect(t);
  const folder = program(t, SHOP);
  const agent = settings(folder, collector);
  const plain = await run(folder);
  const found = await crashUntilFound(collector, folder, agent, plain);
  assert.ok(found.nCrashes > 2, 'something had to be recorded first');
  const bug = await collector.ask(`/v1/bugs/${found.bug.id}`);
  assert.equal(bug.complete, true);
  const steps = bug.path.map(({ step }) => `${step.label} ${(step.site ?? step.function).file}:${(step.site ?? step.function).line}`);
  assert.deepEqual([steps[0], steps.at(-1)], ['start cart.js:16', 'crash cart.js:12']);
  assert.ok(steps.includes('write cart.js:6'), steps.join('\n'));
  // From now on nothing is recorded: the policy is gone, and the next crash tells no more than its stack.
  assert.equal(policyIn(agent.cache), '');
  assert.deepEqual(outcome(await run(folder, { agent })), outcome(plain));
  assert.equal((await collector.after(found.nCrashes + 1))[0].state, 'found');
});

test('a release in between does not begin anew', async (t) => {
  const collector = await collect(t);
  const folder = program(t, SHOP);
  const agent = settings(folder, collector);
  const plain = await run(folder);
  for (let n = 1; n <= 2; n++) await crash(collector, folder, agent, plain, n);
  const before = policyIn(agent.cache);
  assert.notEqual(before, '');
  for (const [name, text] of Object.entries(NEXT_RELEASE)) fs.writeFileSync(path.join(folder, name), text);
  const { bug, nCrashes } = await crashUntilFound(collector, folder, agent, await run(folder), 2);
  // It is told where it stands in the newer one.
  const [{ step }] = (await collector.ask(`/v1/bugs/${bug.id}`)).path;
  assert.deepEqual([step.label, step.site.file, step.site.line], ['start', 'cart.js', 21]);
  assert.equal(bug.count, nCrashes);
});

test('--import is as good as --require', async (t) => {
  const collector = await collect(t);
  const folder = program(t, SHOP);
  const agent = settings(folder, collector);
  const watched = await run(folder, { agent, preload: '--import' });
  // Node itself starts programs in another way as soon as there is any `--import`.
  assert.deepEqual(outcome(watched), outcome(await run(folder, { flags: ['--import=data:text/javascript,'] })));
  const [bug] = await collector.after(1);
  assert.deepEqual([bug.exception, bug.site.file, bug.site.line], ['TypeError', 'cart.js', 12]);
});

async function crashUntilFound(collector, folder, agent, plain, nBefore = 0) {
  for (let nCrashes = nBefore + 1; ; nCrashes++) {
    const [bug, ...others] = await crash(collector, folder, agent, plain, nCrashes);
    assert.deepEqual(others, []);
    if (bug.state === 'found') return { bug, nCrashes };
    assert.equal(bug.state, 'growing');
    assert.ok(nCrashes < MOST_CRASHES, `not found after ${nCrashes} crashes`);
  }
}

// Gives the bugs when the report of this crash was counted and its policy is there.
async function crash(collector, folder, agent, plain, n) {
  const before = fs.readFileSync(agent.cache, 'utf8');
  assert.deepEqual(outcome(await run(folder, { agent })), outcome(plain));
  const bugs = await collector.after(n);
  // The sender asks for the policy a moment after it has sent the report. One that did not change is not written.
  for (const end = Date.now() + 3000; fs.readFileSync(agent.cache, 'utf8') === before && Date.now() < end;) await later(20);
  return bugs;
}

function settings(folder, { url, reportKey }) {
  const cache = path.join(folder, 'policy.cache');
  fs.writeFileSync(cache, '7\n\n');
  return { url, key: reportKey, cache, refresh: 1e6, jitter: 0, time: 4000 };
}

function policyIn(cache) {
  return fs.readFileSync(cache, 'utf8').split('\n').slice(2).join('\n');
}

async function collect(t) {
  const data = path.join(program(t, {}), 'data');
  const server = spawn(WHEREFORE, ['collect', '--listen', '127.0.0.1:0', '--data', data, '--budget-users', '100%', '--budget-per-user', '100%'], { stdio: ['ignore', 'ignore', 'pipe'] });
  t.after(async () => {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
  });
  const url = await new Promise((resolve, reject) => {
    server.on('error', reject);
    server.on('exit', () => reject(new Error('wherefore collect ended')));
    createInterface({ input: server.stderr }).on('line', (line) => {
      const found = /http:\/\/\S+/.exec(line);
      if (found) resolve(found[0]);
    });
  });
  const makeKey = async (kind) => {
    const child = spawn(WHEREFORE, ['collect', 'key', 'add', 'shop', ...kind, '--data', data], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    for await (const part of child.stdout) text += part;
    return text.trim();
  };
  const [reportKey, operatorKey] = [await makeKey([]), await makeKey(['--operator'])];
  const ask = async (name) => (await fetch(url + name, { headers: { authorization: `Bearer ${operatorKey}` } })).json();
  // The bugs, when so many reports were counted.
  const after = async (nReports) => {
    for (const end = Date.now() + LONGEST_MS; ;) {
      const { bugs } = await ask('/v1/bugs');
      const nCounted = bugs.reduce((sum, bug) => sum + bug.count, 0);
      if (nCounted >= nReports) return bugs;
      if (Date.now() > end) throw new Error(`${nCounted} of ${nReports} reports were counted`);
      await later(50);
    }
  };
  return { url, reportKey, ask, after };
}

function later(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
