// Nothing of what the program held leaves the host: values, messages, paths, names of users. Programs are generated, full of secrets that
// can be told from anything else, and no part of a secret is in what the agent sends.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { KEY, REGISTER, idle, policyOf, program, run, server } from './support.mjs';

const busy = (request, response) => response.writeHead(request.method === 'POST' ? 503 : 304).end();

// New ones each time; a test that fails has its seed in its name, and SEED=… makes that program again.
const N_PROGRAMS = 16;
const FIRST = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
const SEEDS = Array.from({ length: process.env.SEED ? 1 : N_PROGRAMS }, (_, number) => FIRST + number);

// Small, and the same for a seed everywhere.
function generator(seed) {
  let state = seed * 2654435761;
  const next = (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  return { next, one: (list) => list[next(list.length)] };
}

// A program that crashes somewhere below a few calls, and has secrets in all kinds of places.
function generated(seed) {
  const { next, one } = generator(seed);
  const secrets = [];
  const secret = (what) => {
    const text = `zq${what}${next(1e9).toString(36)}x${next(1e9).toString(36)}`;
    secrets.push(text);
    return text;
  };
  const places = [
    () => `const v${next(100)}_${next(1e6)} = '${secret('value')}';`,
    () => `state['${secret('key')}'] = ${next(1e6)};`,
    () => `state[\`\${'${secret('computed')}'}\`] = { deep: '${secret('deep')}' };`,
    () => `state.list.push('${secret('element')}'); new Map([['${secret('map')}', 1]]); Symbol('${secret('symbol')}');`,
    () => `process.env.USER_${next(100)} = '${secret('environment')}'; process.title = '${secret('title')}';`,
    () => `class Named {} Object.defineProperty(Named, 'name', { value: '${secret('name')}' }); state.named = new Named();`,
    () => `try { throw new Error('${secret('caught')}'); } catch (e) { state.caught = e; }`,
    () => `if (state.list.length > ${next(3)}) state.flag = '${secret('branch')}';`,
    () => `(function () { return arguments.length; })('${secret('argument')}', /${secret('pattern')}/);`,
  ];
  const crashes = [
    () => `throw new Error('${secret('message')}');`,
    () => `throw Object.assign(new TypeError('${secret('message')}'), { code: '${secret('code')}', path: '/home/${secret('home')}/x' });`,
    () => `const e = new RangeError('${secret('message')}'); e.name = '${secret('errorname')}'; throw e;`,
    () => `class Broken extends Error {} Object.defineProperty(Broken, 'name', { value: '${secret('classname')}' }); throw new Broken('\\n    at ${secret('frame')} (/etc/${secret('etc')}:1:1)');`,
    () => `const e = new Error('${secret('message')}'); e.stack = 'Error: ${secret('stack')}\\n    at /srv/${secret('root')}.js:3:4'; state.e = e; null.x;`,
    () => `state['${secret('missing')}'].x;`,
    () => `JSON.parse('${secret('json')}');`,
    () => `require('fs').readFileSync('/home/${secret('user')}/file');`,
    () => `eval("throw new Error('${secret('evaluated')}') //# sourceURL=/srv/${secret('url')}.js");`,
    () => `require('/tmp/${secret('module')}');`,
  ];
  const n = 2 + next(4);
  let text = `const state = { list: [] };\n`;
  for (let i = 0; i < n; i++) {
    const body = [1, 2, 3].map(() => `  { ${one(places)()} }`).join('\n');
    const call = i === 0 ? one(crashes)() : `return step${i - 1}('${secret('passed')}');`;
    text += `function step${i}(given) {\n${body}\n  ${call}\n}\n`;
  }
  return { text: `${text}step${n - 1}(process.argv[2]);\n`, secrets, given: secret('argv') };
}

for (const seed of SEEDS) {
  test(`secrets of generated program ${seed} stay where they are`, async (t) => {
    const { text, secrets, given } = generated(seed);
    const folder = program(t, { 'main.js': text });
    // It takes no report, so the process that sends them leaves them in the spool.
    const collector = await server(t, busy);
    const spool = path.join(folder, 'spool');
    const env = { SECRET_OF_ENVIRONMENT: 'zqenvironment' };
    const agent = idle(folder, collector.url, { spool, time: 2000 });
    await run(folder, { args: [given], env, agent });
    const [{ stack }] = await collector.reports();
    assert.ok(stack.length > 0);
    // Once more with everything on the stack recorded.
    fs.writeFileSync(agent.cache, `7\n\n${policyOf(stack)}`);
    await run(folder, { args: [given], env, agent });
    const [, recorded] = await collector.reports(2);
    assert.ok(recorded.spent.events > 0);
    for (const request of await collector.first('POST', 2)) {
      const sent = `${request.url} ${JSON.stringify(request.headers)} ${request.body}`;
      for (const text of [...secrets, 'zqenvironment', 'zq', folder, path.basename(folder), process.env.USER ?? '\0', process.env.HOME ?? '\0']) {
        if (text.length > 1) assert.ok(!sent.includes(text), `${text} in ${sent}`);
      }
    }
    const spooled = fs.readdirSync(spool);
    assert.equal(spooled.length, 2);
    for (const name of spooled) {
      const kept = fs.readFileSync(path.join(spool, name), 'utf8');
      assert.ok(!kept.includes('zq') && !kept.includes(KEY), kept);
    }
  });
}

test('a report has no fields but those that are known, each of its own form', async (t) => {
  const { text, given } = generated(99);
  const folder = program(t, { 'main.js': text });
  const collector = await server(t);
  await run(folder, { args: [given], agent: idle(folder, collector.url) });
  const [report] = await collector.reports();
  for (const site of report.stack) {
    assert.deepEqual(Object.keys(site).sort(), ['column', 'file', 'function', 'function_column', 'function_line', 'line']);
    assert.equal(site.file, 'main.js');
    assert.match(site.function, /^[0-9a-f]{16}$/);
    for (const key of ['line', 'column', 'function_line', 'function_column']) assert.ok(Number.isInteger(site[key]));
  }
  assert.match(report.exception, /^[A-Za-z_$][\w$]*$/);
});

test('what is outside of the program is not named', async (t) => {
  const outside = program(t, { 'zqoutside.js': `module.exports = (f) => f();` });
  const folder = program(t, { 'main.js': `require(${JSON.stringify(path.join(outside, 'zqoutside.js'))})(() => null.x);` });
  const collector = await server(t);
  await run(folder, { agent: idle(folder, collector.url) });
  const [request] = await collector.first('POST');
  assert.ok(!request.body.includes('zqoutside'));
  assert.ok(!request.body.includes(path.dirname(REGISTER)));
  assert.equal(JSON.parse(request.body).stack.length, 2);
});
