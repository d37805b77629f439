// node run.mjs [--wherefore BIN] [--only NAME] [--count N] [--seed N]
// `wherefore mcp` under the official TypeScript SDK, in each revision of the protocol, and the command line of the Inspector.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { encode } from 'gpt-tokenizer';
import { Project, ask, checkout, isAlive, refused, revisions, said, tokens, until } from './client.mjs';
import { randomCalls } from './random.mjs';
import { Schema } from './schema.mjs';
import { removeFolder } from '../shared/recorded.mjs';

const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(checkout, 'target/release/wherefore') },
  only: { type: 'string', default: '' },
  count: { type: 'string', default: '1000' },
  seed: { type: 'string', default: '1' },
} });

const SHOP = { command: ['node', 'shop.js'] };

const cases = {
  async 'every tool answers about the example'({ project }) {
    const client = await project.client();
    const { tools } = await client.listTools();
    const recorded = await ask(client, 'record', SHOP);
    assert.equal(recorded.answer.outcome, 'exited with 1');
    assert.match(recorded.answer.failures[0].message, /the receipt says 41.40/);
    assert.deepEqual(recorded.next[0], { tool: 'why', arguments: { run: 1 }, why: 'explains the failure' });
    const why = await ask(client, 'why');
    assert.match(why.answer.summary, /percent became 10 \(offers.js:6\)/);
    // In the usual budget the chain leads to the defect.
    assert.ok(why.answer.chain.some(({ text }) => /percent became 10/.test(text)), JSON.stringify(why.answer));
    const at = why.answer.chain.find(({ text }) => /line.price became/.test(text)).point.point;
    const asked = {
      runs: [{}, 'runs'],
      last_change: [{ place: 'total' }, 'written'],
      birth: [{ place: 'line', at }, 'made'],
      search: [{ text: 'percent' }, 'search'],
      last_condition: [{}, 'condition'],
      history: [{ place: 'line.price', at }, 'history'],
      state: [{ at }, 'state'],
      eval: [{ expression: 'line.price * 2', at }, 'value'],
      log: [{ expressions: 'line.price, percent', at: 'offers.js:7' }, 'log'],
      find: [{ event: 'write', name: 'percent' }, 'found'],
      calls: [{ function: 'add' }, 'calls'],
      step: [{ at, back: true }, 'step'],
      omissions: [{ place: 'line', at }, 'omissions'],
      why_not: [{ file: 'cart.js', line: 14 }, undefined],
      crash_path: [{}, 'crash-path'],
      judge: [{}, 'ask'],
      experiment: [{ runs: 10, budget: 4000 }, 'experiments'],
      try: [{ at, value: '4' }, 'try'],
    };
    const schemas = new Ajv2020({ strict: false, validateFormats: false });
    for (const [tool, [args, kind]] of Object.entries(asked)) {
      const answered = await ask(client, tool, args);
      if (kind !== undefined) assert.equal(answered.answer.kind, kind, tool);
      const { contents } = await client.readResource({ uri: `wherefore://schemas/${tool}` });
      const check = schemas.compile(JSON.parse(contents[0].text));
      assert.ok(check(answered), `${tool}: ${JSON.stringify(check.errors)}`);
    }
    const tried = ['record', 'why', ...Object.keys(asked)];
    assert.deepEqual(tools.map(({ name }) => name).sort(), tried.sort());
  },

  async 'the next questions of an answer are answered'({ project }) {
    const client = await project.client();
    const waiting = (await ask(client, 'record', SHOP)).next.map((next) => [next, 3]);
    const seen = new Set();
    while (waiting.length) {
      const [{ tool, arguments: args }, depth] = waiting.pop();
      const call = `${tool} ${JSON.stringify(args)}`;
      if (depth === 0 || seen.has(call) || args.verdict !== undefined) continue;
      seen.add(call);
      const { next } = await ask(client, tool, args);
      waiting.push(...next.map((next) => [next, depth - 1]));
    }
    assert.ok(seen.size > 10, `${seen.size} calls`);
  },

  async 'a tool that runs a program says so, and the others say that they do not'({ project }) {
    const client = await project.client();
    const running = ['record', 'experiment', 'try'];
    for (const { name, annotations } of (await client.listTools()).tools) {
      assert.equal(annotations.openWorldHint, running.includes(name), name);
      // The judge keeps what an agent says.
      assert.equal(annotations.readOnlyHint, ![...running, 'judge'].includes(name), name);
    }
    const reader = await project.client([]);
    assert.ok(!(await reader.listTools()).tools.some(({ name }) => running.includes(name)));
    await ask(client, 'record', SHOP);
    for (const [tool, args] of [['record', SHOP], ['experiment', {}], ['try', { at: 'crash', skip: true }]]) {
      assert.match(await refused(reader, tool, args), /--allow-run/);
    }
  },

  // What is said in the other cases is compared with the same schema.
  async 'a message that is not as the schema says is found'({ project }) {
    const schema = new Schema(project.revision);
    const answer = (part) => ({ jsonrpc: '2.0', id: 1, result: { resultType: 'complete', content: [part] } });
    assert.deepEqual(schema.problems(answer({ type: 'text', text: '' }), 'tools/call'), []);
    assert.notDeepEqual(schema.problems(answer({ type: 'text' }), 'tools/call'), []);
    const progress = (total) => ({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1, ...total } });
    assert.deepEqual(schema.problems(progress({})), []);
    assert.notDeepEqual(schema.problems(progress({ total: null })), []);
  },

  async 'the list of tools is short'({ project }) {
    const client = await project.client();
    const count = encode(JSON.stringify(await client.listTools())).length;
    assert.ok(count <= 6000, `${count} tokens`);
  },

  async 'an experiment finds the wrong decision, and a try shows what would have happened'({ project }) {
    const client = await project.client();
    fs.writeFileSync(path.join(project.folder, 'member.js'), MEMBER);
    await ask(client, 'record', { command: ['node', 'member.js'] });
    const { answer, next } = await ask(client, 'experiment', { budget: 4000 });
    assert.ok(answer.proven.some(({ text }) => /^had `isMember` been true here/.test(text)), JSON.stringify(answer));
    assert.equal(next[0].tool, 'last_condition');
    const tried = await ask(client, 'try', { at: 'member.js:3', turn: true });
    assert.deepEqual([tried.answer.failure, tried.answer.after], ['gone', 'with exit code 0'], JSON.stringify(tried));
    assert.match(await refused(client, 'try', { at: 'crash' }), /turn, skip or value/);
    assert.match(await refused(client, 'try', { at: 'crash', skip: true, turn: true }), /one thing/);
  },

  // A person may have recorded any command.
  async 'a run whose command an agent may not run is not tried'({ project }) {
    spawnSync(project.wherefore, ['record', '--', 'sh', '-c', 'node shop.js; false'], { cwd: project.folder, stdio: 'ignore' });
    const client = await project.client();
    await ask(client, 'why');
    assert.match(await refused(client, 'experiment', {}), /sh is not run/);
    assert.match(await refused(client, 'try', { at: 'crash', skip: true }), /sh is not run/);
  },

  async 'a long message stands in an answer once, and leaves room for what explains it'({ project }) {
    fs.writeFileSync(path.join(project.folder, 'long.test.js'), LONG);
    const client = await project.client();
    const recorded = await ask(client, 'record', { command: ['node', '--test'] });
    assert.match(recorded.answer.output, /fail 1[^]*$/);
    const { answer } = await ask(client, 'why');
    const text = JSON.stringify(answer);
    assert.equal(text.match(/AssertionError[^"]*not in order/g).length, 1, text);
    assert.match(answer.failure.message, /^AssertionError[^]*…[^]*the end of it/);
    assert.ok(answer.chain.length > 1, text);
  },

  async 'of what a program prints, the end is told'({ project }) {
    fs.writeFileSync(path.join(project.folder, 'package.json'), '{ "scripts": { "test": "node many.js" } }');
    fs.writeFileSync(path.join(project.folder, 'many.js'), MANY);
    const client = await project.client();
    const { answer } = await ask(client, 'record', { command: ['npm', 'test'] });
    assert.match(answer.output, /^…\n[^]*line 999\n1 test failed\n/);
    assert.doesNotMatch(answer.output, /npm warn/);
  },

  async 'a program outside of the workspace gets a sentence'({ project }) {
    const client = await project.client();
    fs.symlinkSync('/etc', path.join(project.folder, 'out'));
    for (const args of [
      { command: ['node', '/etc/hostname'] },
      { command: ['node', 'shop.js'], folder: '..' },
      { command: ['node', 'shop.js'], folder: 'out' },
      { command: ['node', 'out/hostname'] },
      { command: ['node', '-e', 'process.exit()'] },
      { command: ['sh', '-c', 'true'] },
      { command: ['npx', 'cowsay'] },
      { command: [] },
    ]) {
      assert.match(await refused(client, 'record', args), /\w+ \w+ \w+/);
    }
    assert.equal(fs.existsSync(path.join(project.folder, '.wherefore')), false);
  },

  async 'malformed arguments get a sentence'({ project }) {
    const client = await project.client();
    assert.match(await refused(client, 'why', {}), /no run|nothing/i);
    await ask(client, 'record', SHOP);
    assert.match(await refused(client, 'last_change', { plcae: 'x' }), /no argument plcae; did you mean place/);
    assert.match(await refused(client, 'why_not', { file: 'cart.js' }), /line/);
    assert.match(await refused(client, 'why', { failure: 'one' }), /failure|string/);
    assert.match(await refused(client, 'state', { at: 'somewhere else' }), /is not a point/);
    assert.match(await refused(client, 'state', { at: 'shpo.js:3' }), /shop.js/);
    assert.match(await refused(client, 'eval', { expression: '(' }), /\(/);
    assert.match(await refused(client, 'why', { run: 99 }), /99/);
    assert.match(await refused(client, 'why', { budget: 3 }), /between 200/);
    assert.match(await refused(client, 'why', { cursor: 'x' }), /no cursor/);
    assert.match(await refused(client, 'find', { cursor: 'x' }), /cursor/);
    assert.match(await refused(client, 'judge', { verdict: 'valid', undo: true }), /one of these/);
    await assert.rejects(client.callTool({ name: 'last_chnage', arguments: {} }), /last_change/);
    await assert.rejects(client.readResource({ uri: 'file:///etc/passwd' }), /there is no/);
  },

  async 'an answer that is cut goes on behind its cursor'({ project }) {
    const client = await project.client();
    await ask(client, 'record', SHOP);
    for (const [tool, args, list] of [
      ['why', {}, 'chain'],
      ['find', { event: 'write' }, 'results'],
      ['calls', { depth: 3 }, 'calls'],
      ['crash_path', {}, 'path'],
    ]) {
      const whole = (await ask(client, tool, { ...args, budget: 50_000 })).answer[list].map((item) => JSON.stringify(item));
      const parts = [];
      for (let cursor; ;) {
        const part = await ask(client, tool, { ...args, budget: 700, cursor });
        assert.ok(part.answer[list]?.length > 0, `${tool} ${cursor}: ${JSON.stringify(part)}`);
        parts.push(part.answer[list].length);
        cursor = part.cursor;
        if (cursor === undefined) break;
        assert.deepEqual(part.next[0].arguments, { ...args, budget: 700, cursor, run: 1 }, tool);
      }
      assert.ok(parts.length > 1, `${tool} fits`);
      assert.equal(parts.reduce((sum, n) => sum + n), whole.length, tool);
    }
  },

  async 'no answer is over its budget'({ project }) {
    const client = await project.client();
    await ask(client, 'record', SHOP);
    const asked = [['why', {}], ['why', { all: true }], ['state', { depth: 3 }], ['calls', { depth: 5 }], ['find', {}], ['crash_path', {}],
      ['judge', {}], ['runs', {}], ['history', { place: 'total' }]];
    for (const budget of [200, 400, 1500, undefined]) {
      for (const [name, args] of asked) {
        const result = await client.callTool({ name, arguments: { ...args, budget } });
        assert.ok(tokens(result) <= (budget ?? 1500), `${name}, ${budget}: ${tokens(result)} tokens`);
      }
    }
  },

  async 'a dialogue finds the wrong call'({ project }) {
    const client = await project.client();
    await ask(client, 'record', SHOP);
    let { answer } = await ask(client, 'judge');
    const functions = [];
    for (let n = 0; n < 10 && answer.kind === 'ask'; n++) {
      functions.push(answer.question.call.function);
      const verdict = answer.question.call.function === 'applyOffers' ? 'invalid' : 'valid';
      ({ answer } = await ask(client, 'judge', { verdict }));
    }
    assert.equal(answer.kind, 'found', functions.join());
    assert.equal(answer.found.function, 'applyOffers');
    ({ answer } = await ask(client, 'judge', { undo: true }));
    assert.equal(answer.kind, 'ask');
  },

  async 'a recording is cancelled, and its program ends'({ project }) {
    const client = await project.client();
    const stop = new AbortController();
    const pidFile = path.join(project.folder, 'endless.pid');
    const recording = ask(client, 'record', { command: ['node', 'endless.js'] }, { signal: stop.signal });
    const pid = await until(() => fs.existsSync(pidFile) && Number(fs.readFileSync(pidFile, 'utf8')));
    stop.abort();
    await assert.rejects(recording);
    await until(() => !isAlive(pid));
    // The server goes on.
    await ask(client, 'record', SHOP);
  },

  async 'news of a recording arrive'({ project }) {
    const client = await project.client();
    const news = [];
    await ask(client, 'record', SHOP, { onprogress: (progress) => news.push(progress) });
    assert.ok(news.length > 0 && news.every(({ message }) => /events are recorded|reading the run/.test(message)), JSON.stringify(news));
  },

  async 'a client that hangs up in the middle ends its program'({ project }) {
    const client = await project.client();
    const pidFile = path.join(project.folder, 'endless.pid');
    const recording = ask(client, 'record', { command: ['node', 'endless.js'] });
    recording.catch(() => {});
    const pid = await until(() => fs.existsSync(pidFile) && Number(fs.readFileSync(pidFile, 'utf8')));
    await client.close();
    await until(() => !isAlive(pid));
  },

  async 'a run that is deleted while it is open gets a sentence'({ project }) {
    const client = await project.client();
    await ask(client, 'record', SHOP);
    await ask(client, 'why');
    removeFolder(path.join(project.folder, '.wherefore'));
    assert.match(await refused(client, 'why', { run: 1 }), /no run|nothing|run 1/i);
    await ask(client, 'record', SHOP);
    await ask(client, 'why');
  },

  async 'the end of a program that is stopped after a time is told'({ project }) {
    const client = await project.client();
    const { notes, answer } = await ask(client, 'record', { command: ['node', 'endless.js'], timeout: 2 });
    assert.match(notes.join(), /still ran after 2s and was stopped/);
    assert.match(answer.outcome, /killed|exited/);
  },

  async 'two clients over HTTP, each with the token, at once'({ project }) {
    const server = await project.server();
    const clients = [await project.webClient(server), await project.webClient(server)];
    await Promise.all(clients.map((client) => ask(client, 'record', SHOP)));
    const answers = await Promise.all(clients.flatMap((client) => [1, 2, 3, 4].map(() => ask(client, 'why', { run: 1 }))));
    assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
    const counts = await Promise.all(clients.map((client, seed) => randomCalls(client, 30, seed)));
    counts.forEach(({ ours }) => assert.deepEqual(ours, []));
  },

  async 'over HTTP nobody without the token is answered, and no page'({ project }) {
    const { url, token } = await project.server();
    const post = (headers) => fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {
        protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } } }),
    });
    assert.equal((await post({})).status, 401);
    assert.equal((await post({ authorization: `Bearer ${token}x` })).status, 401);
    assert.equal((await post({ authorization: `Bearer ${token}`, origin: 'http://evil.example' })).status, 403);
    const answered = await post({ authorization: `Bearer ${token}` });
    assert.equal(answered.status, 200);
    await answered.body.cancel();
  },

  async 'runs and points are resources'({ project }) {
    const client = await project.client();
    await ask(client, 'record', { command: ['node', 'fine.js'] });
    await ask(client, 'record', SHOP);
    const { resources } = await client.listResources();
    assert.deepEqual(resources.map(({ uri }) => uri), ['wherefore://runs/2', 'wherefore://runs/1']);
    assert.match(resources[0].description, /node shop.js \(exited with 1\)/);
    const read = async (uri) => (await client.readResource({ uri })).contents[0].text;
    assert.match(await read('wherefore://runs/2'), /node shop.js; exited with 1[^]*percent became 10/);
    assert.match(await read('wherefore://runs/1'), /exited with 0/);
    assert.match(await read('wherefore://runs/2/points/offers.js%3A7'), /line[^]*price: 4/);
    assert.match(await read(`wherefore://runs/2/points/${encodeURIComponent('cart.js:14#1')}`), /cart.js:14/);
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.equal(resourceTemplates.length, 3);
  },

  async 'the Inspector lists and calls'({ project }) {
    const inspector = path.join(checkout, 'tests/mcp/node_modules/@modelcontextprotocol/inspector/cli/build/cli.js');
    const inspect = (...args) => JSON.parse(execFileSync(process.execPath, [
      inspector, '--cli', project.wherefore, ...project.arguments(), ...args,
    ], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }));
    const client = await project.client();
    await ask(client, 'record', SHOP);
    const { tools } = inspect('--method', 'tools/list');
    assert.ok(tools.length >= 14);
    const result = inspect('--method', 'tools/call', '--tool-name', 'last_change', '--tool-arg', 'place=total');
    assert.match(said(result), /total/);
    const { resources } = inspect('--method', 'resources/list');
    assert.equal(resources.length, 1);
  },

  async 'random calls'({ project }) {
    const client = await project.client();
    await ask(client, 'record', SHOP);
    const counts = await randomCalls(client, Number(options.count), Number(options.seed));
    console.log(`        ${counts.answered} answered, ${counts.refused} refused with a sentence`);
    assert.deepEqual(counts.ours, []);
    assert.deepEqual(counts.over, []);
  },
};

// Its message is long, and says what matters at its ends.
const LONG = `const test = require('node:test');
const assert = require('node:assert');
const sorted = (list) => list.slice().reverse();
test('sorts', () => {
  const list = sorted([1, 2, 3]);
  const ok = list[0] <= list[1];
  assert.ok(ok, 'not in order: ' + 'x'.repeat(5000) + ' the end of it');
});
`;

const MEMBER = `const price = 10;
const isMember = price > 100;
const rate = isMember ? 0.5 : 1;
if (rate !== 0.5) throw new Error('no discount');
console.log('fine');
`;

const MANY = `console.error('npm warn Unknown user config');
for (let n = 0; n < 1000; n++) console.log('line ' + n);
console.log('1 test failed');
process.exitCode = 1;
`;

let n_failed = 0;
let n_messages = 0;
const wanted = Object.entries(cases).filter(([name]) => name.includes(options.only));
for (const [revision, [name, run]] of revisions.flatMap((revision) => wanted.map((one) => [revision, one]))) {
  const project = new Project(options.wherefore, revision);
  const started = Date.now();
  try {
    await run({ project });
    for (const { count, problems } of project.transcripts) {
      assert.deepEqual(problems, [], 'messages that are not as the schema of their revision says');
      n_messages += count;
    }
    console.log(`passed  ${revision}, ${name} (${Date.now() - started} ms)`);
  } catch (error) {
    n_failed++;
    console.log(`FAILED  ${revision}, ${name}: ${error.stack}`);
  } finally {
    await project.close();
  }
}
console.log(`${n_messages} messages are as the schemas of ${revisions.join(' and ')} say`);
process.exit(n_failed ? 1 : 0);
