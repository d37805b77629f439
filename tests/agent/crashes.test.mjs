// The program ends as it does without the agent, byte for byte, and the server gets a report.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { NODE, idle, outcome, program, run, server } from './support.mjs';

const NODE_VERSION = execFileSync(NODE, ['-p', 'process.versions.node'], { encoding: 'utf8' });

const BROKEN = `function total(cart) { return cart.lines.length; }
function main() { return total({}); }
main();
`;

// What it prints, and how often it crashes as far as a report goes.
const PROGRAMS = {
  'crashes at once': { text: BROKEN },
  'a class of its own': { text: 'class Broken extends TypeError {}\nthrow new Broken("x");', exception: 'Broken' },
  'in a timer': { text: `setTimeout(() => { ${BROKEN} }, 1);` },
  'an error that was printed before': { text: `try { ${BROKEN} } catch (e) { console.log(e.stack); throw e; }` },
  'its message changes when it is too late': {
    text: `process.on('uncaughtException', (e) => { e.message = 'late'; console.log(e.stack); process.exit(4); });\n${BROKEN}`,
  },
  'exits inside the handler': { text: `process.on('uncaughtException', (e) => { console.log(e.message); process.exit(3); });\n${BROKEN}` },
  'crashes in the crash handler': { text: `process.on('uncaughtException', () => { throw new Error('second'); });\n${BROKEN}` },
  'crashes in a monitor': { text: `process.on('uncaughtExceptionMonitor', () => {}); process.on('uncaughtExceptionMonitor', () => { throw new Error('second'); });\n${BROKEN}` },
  'crashes in an exit listener': { text: `process.on('exit', () => { throw new Error('second'); });\n${BROKEN}` },
  'a handler that goes on': { text: `process.on('uncaughtException', (e, origin) => console.log(origin, e.stack, new Error('here').stack));\nsetTimeout(() => console.log('alive'), 50);\n${BROKEN}` },
  'monitors': {
    text: `const seen = (name) => (e, origin) => console.log(name, origin, e.message, process.listenerCount('uncaughtExceptionMonitor'), process.listeners('uncaughtExceptionMonitor').length, new Error('x').stack);
process.on('uncaughtExceptionMonitor', seen('a')); process.once('uncaughtExceptionMonitor', seen('b')); process.on('uncaughtException', (e) => { console.log(process.eventNames(), process._eventsCount); process.exit(5); });\n${BROKEN}`,
  },
  'stack traces of its own': { text: `Error.prepareStackTrace = (e, sites) => { console.log('prepared'); return sites.length + ' frames ' + sites[0].getFunctionName(); };\nprocess.on('uncaughtException', (e) => { console.log('handler'); console.log(e.stack); console.log(typeof Error.prepareStackTrace, Object.keys(Error)); });\n${BROKEN}` },
  'patched built-ins': { text: `Array.prototype.push = Array.prototype.map = Array.prototype[Symbol.iterator] = () => { console.log('called'); }; JSON.stringify = () => { console.log('json'); return '{}'; }; String.prototype.slice = () => { console.log('slice'); }; Reflect.apply = () => console.log('apply'); require('fs').readFileSync = () => console.log('read');\n${BROKEN}` },
  'no stack': { text: `Error.stackTraceLimit = 0;\n${BROKEN}`, reports: 0 },
  'throws a string': { text: `throw 'text';`, reports: 0 },
  'throws nothing': { text: `throw undefined;`, reports: 0 },
  'throws a proxy': { text: `throw new Proxy(new Error('x'), { get(o, k) { process._rawDebug('get', String(k)); return o[k]; }, getOwnPropertyDescriptor(o, k) { process._rawDebug('own', String(k)); return Reflect.getOwnPropertyDescriptor(o, k); } });`, reports: 0 },
  'getters on the error': { text: `const e = new Error('x'); for (const k of ['name', 'message', 'constructor', 'code', 'domain']) Object.defineProperty(e, k, { get() { process._rawDebug('get', k, new Error('q').stack); return k; } }); throw e;` },
  'an error of another realm': { text: `require('vm').runInNewContext('throw new Error("x")', {}, 'other.js')`, reports: 0 },
  'a rejection': { text: `Promise.reject(new RangeError('r'));`, exception: 'RangeError' },
  'a rejection with a string': { text: `Promise.reject('r');`, reports: null },
  'an async stack': { text: `async function inner() { await null; ${BROKEN} } async function outer() { await inner(); } outer();` },
  'a worker': { text: `const { Worker, isMainThread } = require('worker_threads'); if (isMainThread) new Worker(__filename).on('error', (e) => console.log('worker', e.stack)).on('exit', (c) => console.log(c)); else { ${BROKEN} }` },
  'a worker that nobody listens to': { text: `const { Worker, isMainThread } = require('worker_threads'); if (isMainThread) new Worker(__filename); else { ${BROKEN} }`, reports: null },
  'a domain': { text: `const d = require('domain').create(); d.on('error', (e) => console.log('domain', e.message)); d.run(() => setTimeout(() => { ${BROKEN} }, 1));`, reports: 0 },
  'capturing': { text: `process.setUncaughtExceptionCaptureCallback((e) => console.log('captured', e.message)); console.log(process.hasUncaughtExceptionCaptureCallback());\n${BROKEN}`, reports: 0 },
  'a child': { text: `const { spawnSync } = require('child_process'); const r = spawnSync(process.execPath, ['-e', 'null.x']); console.log(r.status, String(r.stderr));`, reports: null },
  'nothing wrong': { text: `console.log(Object.keys(require.cache).length, module.children.length, process.eventNames(), process.listenerCount('uncaughtException'), process.moduleLoadList.length, process.getActiveResourcesInfo(), require('async_hooks').executionAsyncId()); Math.random();`, reports: 0, flags: ['--random-seed=1'] },
  'what can be seen of it': { text: `const d = Object.getOwnPropertyDescriptor(process, '_fatalException'); console.log(d, d.value.name, d.value.length, Reflect.ownKeys(d.value), Object.keys(process).indexOf('_fatalException'), typeof process._fatalException);`, reports: 0 },
};

// Known: Node 26 prints a proxy as one, and `process._fatalException` is one under the agent.
function known(name, plain) {
  if (name !== 'what can be seen of it' || parseInt(NODE_VERSION, 10) < 26) return plain;
  return { ...plain, stdout: plain.stdout.replace('[Function (anonymous)]', 'Proxy([Function (anonymous)])') };
}

for (const [name, { text, flags, reports = 1, exception = 'TypeError' }] of Object.entries(PROGRAMS)) {
  test(`a program: ${name}`, async (t) => {
    const folder = program(t, { 'main.js': text });
    const collector = await server(t);
    const plain = await run(folder, { flags });
    const watched = await run(folder, { flags, agent: idle(folder, collector.url) });
    assert.deepEqual(outcome(watched), known(name, outcome(plain)));
    if (reports === null) return;
    if (reports > 0) {
      const [report] = await collector.reports();
      if (name !== 'getters on the error') assert.equal(report.exception, exception);
    }
    assert.equal(collector.requests.filter((request) => request.method === 'POST').length, reports);
  });
}

for (const mode of ['throw', 'strict', 'warn', 'none', 'warn-with-error-codes']) {
  test(`a rejection that nobody handles, ${mode}`, async (t) => {
    const folder = program(t, { 'main.js': `process.on('exit', (c) => console.log('exit', c)); Promise.reject(new Error('r')); setTimeout(() => console.log('later'), 20);` });
    const collector = await server(t);
    const flags = [`--unhandled-rejections=${mode}`];
    const plain = await run(folder, { flags });
    assert.deepEqual(outcome(await run(folder, { flags, agent: idle(folder, collector.url) })), outcome(plain));
    if (mode === 'throw' || mode === 'strict') assert.equal((await collector.reports())[0].exception, 'Error');
    else assert.equal(collector.requests.length, 0);
  });
}

test('an ES module', async (t) => {
  const folder = program(t, { 'main.mjs': `import { total } from './total.mjs';\nconsole.log('begins');\ntotal({});\n`, 'total.mjs': `export function total(cart) {\n  return cart.lines.length;\n}\n` });
  const collector = await server(t);
  const plain = await run(folder, { main: 'main.mjs' });
  assert.deepEqual(outcome(await run(folder, { main: 'main.mjs', agent: idle(folder, collector.url) })), outcome(plain));
  const [report] = await collector.reports();
  assert.deepEqual(report.stack.map((site) => [site.file, site.line, site.column]), [['total.mjs', 2, 21], ['main.mjs', 3, 1]]);
});

test('exceptions without end are reported a few times', async (t) => {
  const text = `process.on('uncaughtException', () => {}); let n = 0; const timer = setInterval(() => { if (++n > 50) clearInterval(timer); null.x; }, 1);`;
  const folder = program(t, { 'main.js': text });
  const collector = await server(t);
  const { end } = await run(folder, { agent: idle(folder, collector.url) });
  assert.equal(end, 0);
  await collector.reports(4);
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(collector.requests.filter((request) => request.method === 'POST').length, 4);
});
