// The engine, which finds the path to a crash, is in a process of its own. Whatever it does, the program ends as it would without us, and the
// report arrives, or says what it lacks.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { REGISTER, idle, outcome, policyOf, program, run, server, unchanged } from './support.mjs';

const AGENT = path.dirname(REGISTER);
const RUNTIME = path.join(AGENT, '../runtime');

// What an array may be at most, and what grows by one number.
const HUGE = {
  'main.js': `class Store {
  constructor() {
    this.rows = new Array(4294967295);
    this.more = [];
    this.more.length = 3e9;
  }
  put(at, row) {
    this.rows[at] = row;
    this.more[at / 2 | 0] = row;
    this.more.splice(this.more.length - 1, 1);
    return this;
  }
  total() {
    return this.rows[4294967290].lines.reduce((sum, line) => sum + line, 0);
  }
}
const store = new Store();
store.put(4294967290, { lines: null }).put(7, {});
console.log(store.rows.length, store.more.length);
store.total();
`,
};

test('a program with huge arrays', async (t) => {
  const { agent, plain, folder, collector } = await withPolicy(t, HUGE);
  assert.deepEqual(outcome(await run(folder, { agent })), outcome(plain));
  const [, report] = await collector.reports(2);
  assert.ok(report.spent.events > 0 && report.lost === undefined, JSON.stringify(report));
  assert.equal(report.labels.at(-1).label, 'crash');
});

for (const [what, script] of [
  ['aborts', 'kill -ABRT $$'],
  ['ends with an error', 'exit 7'],
  ['hangs', 'exec sleep 100'],
]) {
  test(`an engine that ${what}`, async (t) => {
    const { agent, plain, folder, collector } = await withPolicy(t, HUGE);
    // It knows the stack by then.
    const register = withEngine(t, `${RUNTIME}/wherefore-report | head -n 1; ${script}`);
    const ran = await run(folder, { agent, register });
    assert.deepEqual(outcome(ran), outcome(plain));
    const [first, report] = await collector.reports(2);
    assert.deepEqual([report.lost, report.labels, report.stack], ['failed', [], first.stack]);
    assert.notEqual(report.policy, null);
  });
}

test('an engine that knows nothing', async (t) => {
  const folder = program(t, HUGE);
  const collector = await server(t, unchanged);
  const register = withEngine(t, 'kill -SEGV $$');
  const agent = idle(folder, collector.url, { wait: 5000 });
  assert.deepEqual(outcome(await run(folder, { agent, register })), outcome(await run(folder)));
  assert.deepEqual(collector.requests, []);
});

// A program of which all functions of its crash are recorded the next time.
async function withPolicy(t, files) {
  const folder = program(t, files);
  const collector = await server(t, unchanged);
  const plain = await run(folder);
  const agent = idle(folder, collector.url, { time: 5000 });
  await run(folder, { agent });
  const [{ stack }] = await collector.reports();
  fs.writeFileSync(agent.cache, `7\n\n${policyOf(stack)}`);
  return { agent, plain, folder, collector };
}

// The agent, with a script in the place of the engine.
function withEngine(t, script) {
  const folder = program(t, { 'agent/x': '', 'runtime/x': '' });
  for (const [from, to] of [[AGENT, 'agent'], [RUNTIME, 'runtime']]) {
    for (const name of fs.readdirSync(from)) {
      if (name === 'wherefore-report') continue;
      fs.cpSync(path.join(from, name), path.join(folder, to, name), { recursive: true });
    }
  }
  fs.writeFileSync(path.join(folder, 'runtime/wherefore-report'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path.join(folder, 'agent/register.cjs');
}
