// node dap.mjs [--wherefore BIN] [--cache DIR] [--events 100] [--again] [--times 60]
// `wherefore dap` on a run of so many million events: from a request to the event that control stands somewhere; and opening an object
// with a million keys, from the request to its answer. Against the limits.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { longRun } from './long-run.mjs';
import { removeFolder } from '../tests/shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../target/release/wherefore') },
  cache: { type: 'string', default: path.join(here, '../target/bench') },
  events: { type: 'string', default: '100' },
  again: { type: 'boolean' },
  times: { type: 'string', default: '60' },
} });
const LIMIT = 100;
const MANY_KEYS = `
const all = {};
for (let i = 0; i < 1e6; i++) all['key' + i] = i;
throw new Error('end');
`;

class Client {
  constructor(folder) {
    this.adapter = spawn(options.wherefore, ['dap'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
    this.seq = 0;
    this.waiting = [];
    this.received = Buffer.alloc(0);
    this.adapter.stdout.on('data', (data) => this.receive(data));
  }

  receive(data) {
    this.received = Buffer.concat([this.received, data]);
    for (;;) {
      const end = this.received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/.exec(this.received.subarray(0, end))[1]);
      if (this.received.length < end + 4 + length) return;
      const message = JSON.parse(this.received.subarray(end + 4, end + 4 + length));
      this.received = this.received.subarray(end + 4 + length);
      const waiting = this.waiting.filter(({ wants }) => wants(message));
      this.waiting = this.waiting.filter(({ wants }) => !wants(message));
      for (const { resolve } of waiting) resolve(message);
    }
  }

  wait(wants) {
    return new Promise((resolve) => this.waiting.push({ wants, resolve }));
  }

  async ask(command, args = {}) {
    const seq = ++this.seq;
    const text = JSON.stringify({ seq, type: 'request', command, arguments: args });
    const answer = this.wait((message) => message.type === 'response' && message.request_seq === seq);
    this.adapter.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    const { success, message, body } = await answer;
    if (!success) throw new Error(`${command}: ${message}`);
    return body;
  }

  /** Milliseconds until control stands again, and the top of the stack is known: as long as a person waits. */
  async go(command) {
    const started = performance.now();
    const stopped = this.wait((message) => message.event === 'stopped');
    await this.ask(command, { threadId: 1 });
    await stopped;
    const { stackFrames } = await this.ask('stackTrace', { threadId: 1, levels: 20 });
    return { time: performance.now() - started, at: stackFrames[0] };
  }

  async open(args) {
    await this.ask('initialize', { adapterID: 'bench' });
    await this.ask('attach', args);
    const stopped = this.wait((message) => message.event === 'stopped');
    await this.ask('configurationDone');
    await stopped;
  }

  end() {
    this.adapter.stdin.end();
  }
}

const rows = [];
const times = Number(options.times);
console.log(`| wherefore dap, milliseconds, ${options.events} million events, ${times} times each | median | 95th percentile | limit |\n|---|---|---|---|`);

async function several(name, once) {
  const taken = [];
  for (let i = 0; i < times; i++) taken.push(await once(i));
  taken.sort((a, b) => a - b);
  const row = { name, median: taken[Math.floor(times / 2)], high: taken[Math.min(times - 1, Math.floor(times * 0.95))] };
  rows.push(row);
  console.log(`| ${name} | ${row.median.toFixed(1)} | ${row.high > LIMIT ? `**${row.high.toFixed(1)}**` : row.high.toFixed(1)} | ${LIMIT} |`);
}

const folder = path.join(options.cache, 'sessions');
const run = longRun({ wherefore: options.wherefore, folder, millions: Number(options.events), again: options.again });
const client = new Client(folder);
await client.open({ run });
const file = (await client.ask('stackTrace', { threadId: 1 })).stackFrames[0].source.path;
const breakpoints = async (...lines) => {
  const set = await client.ask('setBreakpoints', { source: { path: file }, breakpoints: lines });
  for (const { verified, message } of set.breakpoints) if (!verified) throw new Error(message);
};
const anywhere = async (i) => {
  // A moment somewhere in the run, by the times that a line in it was executed.
  const { targets } = await client.ask('gotoTargets', { source: { path: file }, line: 3 });
  const stopped = client.wait((message) => message.event === 'stopped');
  await client.ask('goto', { threadId: 1, targetId: targets[i % targets.length].id });
  await stopped;
};
const crash = async () => {
  const stopped = client.wait((message) => message.event === 'stopped');
  await client.ask('wherefore.go', { at: 'crash' });
  await stopped;
};

await several('stepBack, one after the other from the crash', async () => (await client.go('stepBack')).time);
await crash();
await breakpoints({ line: 3 });
await several('reverseContinue, a breakpoint in a hot line', async () => (await client.go('reverseContinue')).time);
await several('stepBack, in the hot loop', async () => (await client.go('stepBack')).time);
await breakpoints({ line: 2 });
await several('reverseContinue from the crash over all events to the first statement', async () => {
  await crash();
  const { time, at } = await client.go('reverseContinue');
  if (at.line !== 2) throw new Error(`it came to line ${at.line}`);
  return time;
});
await breakpoints({ line: 3, hitCondition: '% 1000000' });
await crash();
await several('reverseContinue, every millionth hit', async (i) => {
  if (i % 10 === 0) await crash();
  return (await client.go('reverseContinue')).time;
});
await breakpoints();
await crash();
const { dataId } = await client.ask('dataBreakpointInfo', { name: 'cart.total' });
await client.ask('setDataBreakpoints', { breakpoints: [{ dataId }] });
await several('reverseContinue to the last change of a property', async () => (await client.go('reverseContinue')).time);
const pushed = await client.ask('dataBreakpointInfo', { name: 'cart.lines' });
await client.ask('setDataBreakpoints', { breakpoints: [{ dataId: pushed.dataId }] });
await several('reverseContinue to a change at the start of the run', async () => {
  await crash();
  return (await client.go('reverseContinue')).time;
});
await several('continue from somewhere to the crash', async (i) => {
  await anywhere(i);
  return (await client.go('continue')).time;
});
client.end();

const many = path.join(options.cache, 'many-keys');
if (options.again || !fs.existsSync(path.join(many, 'run/run.txt'))) {
  fs.mkdirSync(many, { recursive: true });
  removeFolder(path.join(many, 'run'));
  fs.writeFileSync(path.join(many, 'keys.js'), MANY_KEYS);
  spawnSync(options.wherefore, ['record', '-o', path.join(many, 'run'), '--', 'node', 'keys.js'], { cwd: many, stdio: 'ignore' });
  spawnSync(options.wherefore, ['index', path.join(many, 'run')], { stdio: 'ignore' });
}
const opened = async () => {
  const keys = new Client(many);
  await keys.open({ run: path.join(many, 'run') });
  return keys;
};
const expanded = async (keys) => {
  const { variablesReference } = await keys.ask('evaluate', { expression: 'all', context: 'watch' });
  const { variables } = await keys.ask('variables', { variablesReference });
  if (variables.length !== 1001) throw new Error(`it opens as ${variables.length}`);
  return variables[1000];
};
// As a person first sees it: nothing is known of the object yet.
await several('an object of a million keys, opened, each time in a new session', async () => {
  const keys = await opened();
  const started = performance.now();
  await expanded(keys);
  const took = performance.now() - started;
  keys.end();
  return took;
});
const keys = await opened();
let firstTook;
await several('the same in one session, and a part of its rest', async (i) => {
  const stopped = keys.wait((message) => message.event === 'stopped');
  await keys.ask('wherefore.go', { at: 'crash' });
  await stopped;
  const started = performance.now();
  const rest = await expanded(keys);
  const { variables: parts } = await keys.ask('variables', { variablesReference: rest.variablesReference });
  const part = parts[(i * 37) % parts.length].variablesReference;
  const { variables } = await keys.ask('variables', { variablesReference: part });
  if (variables.length !== 1000) throw new Error(`a part has ${variables.length} keys`);
  const took = performance.now() - started;
  firstTook ??= took;
  return took;
});
keys.end();

console.log(`| the last, the first time, once | ${firstTook.toFixed(1)} | | |`);
process.exit(rows.some(({ high }) => high > LIMIT) ? 1 : 0);
