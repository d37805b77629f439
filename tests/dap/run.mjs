// node run.mjs [--wherefore BIN] [--only NAME]
// `wherefore dap` under Microsoft's client for testing debug adapters: a session of each kind. Every message is as the protocol says (schema.mjs).
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import testsupport from '@vscode/debugadapter-testsupport';
import { removeFolder } from '../shared/recorded.mjs';
import { Checked } from './schema.mjs';

const checkout = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(checkout, 'target/release/wherefore') },
  only: { type: 'string', default: '' },
} });
options.wherefore = path.resolve(options.wherefore);
const SHOP = Object.fromEntries(['shop.js', 'cart.js', 'offers.js'].map((name) => [name, fs.readFileSync(path.join(checkout, 'examples/shop', name), 'utf8')]));

/** Microsoft's client, which has its messages checked. */
class Client extends testsupport.DebugClient {
  checked = new Checked();

  doSend(command, args, answered) {
    const seq = this.sequence;
    this.checked.add({ seq, type: 'request', command, arguments: args && Object.keys(args).length > 0 ? args : undefined });
    super.doSend(command, args, answered);
  }

  dispatch(text) {
    this.checked.add(JSON.parse(text));
    super.dispatch(text);
  }

  async stop() {
    await super.stop();
    assert.deepEqual(this.checked.errors, []);
  }
}

/** A project, and a client of its own debug adapter. */
class Session {
  constructor(files) {
    this.folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-dap-')));
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(this.file(name)), { recursive: true });
      fs.writeFileSync(this.file(name), text);
    }
    this.client = new Client(options.wherefore, 'dap', 'wherefore', { cwd: this.folder }, true);
    this.client.defaultTimeout = 60_000;
    this.said = [];
    this.client.on('output', (event) => this.said.push(event.body.output));
  }

  file(name) {
    return path.join(this.folder, name);
  }

  record(...command) {
    spawnSync(options.wherefore, ['record', '--', ...command], { cwd: this.folder });
  }

  /** Begins, and gives the event with which control first stands somewhere. */
  async begin(request, args, configure = async () => {}) {
    await this.client.initializeRequest();
    const ready = this.client.waitForEvent('initialized');
    await this.client[`${request}Request`](args);
    await ready;
    await configure();
    return await this.go('configurationDone', {});
  }

  /** A request that moves, and where it led. */
  async go(request, args = { threadId: 1 }) {
    const stopped = this.client.waitForEvent('stopped');
    await this.client.customRequest(request, args);
    const { body } = await stopped;
    const { stackFrames } = (await this.client.stackTraceRequest({ threadId: body.threadId })).body;
    const top = stackFrames[0];
    return { ...body, frames: stackFrames, at: top && `${top.source?.name}:${top.line}` };
  }

  async value(expression, frameId) {
    return (await this.client.evaluateRequest({ expression, frameId, context: 'watch' })).body.result;
  }

  async end() {
    await this.client.stop();
    removeFolder(this.folder);
  }
}

const cases = {
  'a command is recorded and opened at its failure': async () => {
    const session = new Session(SHOP);
    await session.client.start();
    const stopped = await session.begin('launch', { command: 'node shop.js' });
    assert.equal(stopped.reason, 'exception');
    assert.equal(stopped.text, 'Error: the receipt says 41.40');
    assert.equal(stopped.at, 'shop.js:17');
    assert.equal(await session.value('total'), '41.4');
    assert.ok(session.said.join('').includes('Error: the receipt says 41.40'), 'what the program prints is shown');
    return session;
  },

  'back from the failure to the write': async () => {
    const session = new Session(SHOP);
    await session.client.start();
    await session.begin('launch', { program: 'shop.js' });
    await session.go('stepBack');
    const { body: info } = await session.client.dataBreakpointInfoRequest({ name: 'cart.lines[1].price' });
    assert.deepEqual(info.accessTypes, ['write']);
    await session.client.setDataBreakpointsRequest({ breakpoints: [{ dataId: info.dataId }] });
    const write = await session.go('reverseContinue');
    assert.equal(write.reason, 'data breakpoint');
    assert.equal(write.at, 'offers.js:7');
    assert.equal(write.description, 'cart.lines[1].price: 4 → 3.6');
    assert.deepEqual(write.frames.map((frame) => frame.name), ['applyOffers', '(top level)']);
    assert.equal(await session.value('cart.lines.length', write.frames[1].id), '2');
    assert.equal((await session.go('reverseContinue')).at, 'cart.js:9');
    assert.equal((await session.go('continue')).at, 'offers.js:7');
    return session;
  },

  'breakpoints of all kinds, in both directions': async () => {
    const session = new Session(SHOP);
    await session.client.start();
    const source = { path: session.file('cart.js') };
    await session.begin('launch', { command: ['node', 'shop.js'] }, async () => {
      const set = await session.client.setBreakpointsRequest({ source, breakpoints: [{ line: 9, condition: "sku === 'book'" }] });
      assert.deepEqual(set.body.breakpoints.map(({ verified, message }) => [verified, message]), [[true, 'executed 2 times']]);
      await session.client.setFunctionBreakpointsRequest({ breakpoints: [{ name: 'applyOffers' }] });
      await session.client.setExceptionBreakpointsRequest({ filters: ['uncaught'] });
    });
    assert.deepEqual(pick(await session.go('reverseContinue')), ['function breakpoint', 'offers.js:2']);
    assert.deepEqual(pick(await session.go('reverseContinue')), ['breakpoint', 'cart.js:9']);
    assert.equal(await session.value('count'), '2');
    assert.deepEqual(pick(await session.go('reverseContinue')), ['entry', 'shop.js:3']);
    assert.deepEqual(pick(await session.go('continue')), ['breakpoint', 'cart.js:9']);
    assert.deepEqual(pick(await session.go('continue')), ['function breakpoint', 'offers.js:2']);
    assert.deepEqual(pick(await session.go('continue')), ['exception', 'shop.js:17']);
    const log = { line: 9, logMessage: '{sku} × {count}' };
    await session.client.setBreakpointsRequest({ source, breakpoints: [log] });
    assert.deepEqual(session.said.slice(-2), ['"book" × 2\n', '"pen" × 4\n']);
    return session;
  },

  'a run is opened, whatever became of it': async () => {
    const session = new Session({ 'app.js': 'let n = 0;\nfor (const step of [1, 2, 3]) n += step;\nconsole.log(n);\n' });
    session.record('node', 'app.js');
    await session.client.start();
    const stopped = await session.begin('attach', { run: '1' });
    assert.deepEqual([stopped.reason, stopped.description], ['pause', 'End of the recording']);
    assert.equal(await session.value('n'), '6');
    await assert.rejects(session.client.attachRequest({ run: 9 }), /there is no run 9/);
    return session;
  },

  'a server is asked by two clients at once': async () => {
    const session = new Session(SHOP);
    session.record('node', 'shop.js');
    const server = spawn(options.wherefore, ['dap', '--port', '0'], { cwd: session.folder });
    const printed = await new Promise((resolve) => {
      let all = '';
      server.stdout.on('data', (data) => /token \w+\n/.test(all += data) && resolve(all));
    });
    const [, port, token] = /:(\d+)\ntoken (\w+)/.exec(printed);
    const other = new Client('', '', 'wherefore');
    await Promise.all([session.client.start(Number(port)), other.start(Number(port))]);
    const stopped = await session.begin('attach', { token });
    assert.equal(stopped.at, 'shop.js:17');
    await other.initializeRequest();
    await assert.rejects(other.attachRequest({}), /needs the `token`/);
    await other.attachRequest({ token });
    assert.equal((await other.evaluateRequest({ expression: 'total' })).body.result, '41.4');
    await other.stop();
    assert.equal((await session.go('stepBack')).at, 'shop.js:17');
    await session.client.stop();
    server.kill();
    removeFolder(session.folder);
  },

  'what a compiler wrote is shown as what the person wrote': async () => {
    const source = 'const total: number = [1, 2]\n  .reduce((a: number, b: number) => a + b);\nif (total !== 4) throw new Error(String(total));\n';
    const compiled = source.replaceAll(': number', '');
    const map = { version: 3, file: 'app.js', sources: ['../app.ts'], sourcesContent: [source], names: [], mappings: 'AAAA;AACA;AACA' };
    const session = new Session({ 'app.ts': source, 'out/app.js': `${compiled}//# sourceMappingURL=app.js.map\n`, 'out/app.js.map': JSON.stringify(map) });
    await session.client.start();
    const stopped = await session.begin('launch', { command: 'node out/app.js' }, async () => {
      const ts = await session.client.setBreakpointsRequest({ source: { path: session.file('app.ts') }, breakpoints: [{ line: 2 }] });
      assert.equal(ts.body.breakpoints[0].verified, true, ts.body.breakpoints[0].message);
    });
    assert.equal(stopped.at, 'app.ts:3');
    assert.equal(stopped.frames[0].source.path, session.file('app.ts'));
    const { body } = await session.client.customRequest('loadedSources');
    assert.deepEqual(body.sources.map((loaded) => loaded.path), [session.file('app.ts')]);
    return session;
  },

  'threads stand where they stand': async () => {
    const session = new Session({
      'app.js': "const { Worker } = require('node:worker_threads');\nnew Worker('./worker.js').on('message', (m) => { if (m.bad) throw new Error('bad'); });\n",
      'worker.js': "const { parentPort } = require('node:worker_threads');\nconst answer = { bad: true };\nparentPort.postMessage(answer);\n",
    });
    await session.client.start();
    const stopped = await session.begin('launch', { command: 'node app.js' });
    assert.equal(stopped.at, 'app.js:2');
    const { body } = await session.client.threadsRequest();
    assert.equal(body.threads.length, 2);
    const worker = body.threads.map(({ id }) => id).find((id) => id !== stopped.threadId);
    const back = await session.go('stepBack', { threadId: worker });
    assert.ok(back.at.startsWith('worker.js:'), back.at);
    const still = await session.client.stackTraceRequest({ threadId: stopped.threadId });
    assert.equal(still.body.stackFrames[0].line, 2);
    return session;
  },

  'restart runs the program again': async () => {
    const session = new Session({ 'app.js': "throw new Error('first');\n" });
    await session.client.start();
    await session.begin('launch', { command: 'node app.js' });
    fs.writeFileSync(session.file('app.js'), "throw new Error('second');\n");
    assert.equal((await session.go('restart', {})).text, 'Error: second');
    return session;
  },

  'the console takes questions': async () => {
    const session = new Session(SHOP);
    await session.client.start();
    await session.begin('launch', { command: 'node shop.js' });
    const said = async (expression) => (await session.client.evaluateRequest({ expression, context: 'repl' })).body.result;
    assert.match(await said('why'), /percent became 10 \(offers\.js:6\)/);
    assert.match(await said('last-change total'), /total was written\nshop\.js:16/);
    assert.match(await said('history cart.lines[1].price'), /2 changes/);
    assert.match(await said('judge'), /add\("book", 2\)/);
    const gone = session.client.waitForEvent('stopped');
    assert.equal(await said('goto P7'), 'offers.js:6');
    assert.equal((await gone).body.reason, 'goto');
    return session;
  },
};

const pick = ({ reason, at }) => [reason, at];

let n_failed = 0;
for (const [name, run] of Object.entries(cases)) {
  if (!name.includes(options.only)) continue;
  const started = Date.now();
  try {
    await (await run())?.end();
    console.log(`passed  ${name} (${Date.now() - started} ms)`);
  } catch (error) {
    n_failed++;
    console.log(`FAILED  ${name}: ${error.stack}`);
  }
}
process.exit(n_failed ? 1 : 0);
