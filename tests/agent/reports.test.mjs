// What is in a report.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { KEY, idle, program, run, server, until } from './support.mjs';

const SHOP = {
  'main.js': `const { total } = require('./src/cart');\nrequire('till').pay(() => total({}));\n`,
  'src/cart.js': `exports.total = function (cart) {\n  return cart.lines.length;\n};\n`,
  'node_modules/till/package.json': '{"name":"till","version":"9.0.0","main":"lib/till.js"}',
  'node_modules/till/lib/till.js': `exports.pay = (sum) => {\n  return sum();\n};\n`,
};

test('a report names the functions of the stack', async (t) => {
  const folder = program(t, SHOP);
  const collector = await server(t);
  await run(folder, { agent: idle(folder, collector.url) });
  const [{ headers, url }] = await collector.first('POST');
  const [report] = await collector.reports();
  assert.equal(url, '/v1/reports');
  assert.equal(headers.authorization, `Bearer ${KEY}`);
  assert.equal(headers['content-type'], 'application/json');
  assert.match(report.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual(Object.keys(report).sort(), ['cohort', 'cut', 'exception', 'id', 'labels', 'node', 'policy', 'release', 'spent', 'stack', 'version', 'wanted']);
  assert.equal(report.version, 1);
  assert.equal(report.release, '1.2.3');
  assert.equal(report.cohort, 7);
  assert.equal(report.policy, null);
  const sites = report.stack.map(({ file, line, column, function_line, function_column }) => [file, line, column, function_line, function_column]);
  assert.deepEqual(sites, [
    ['src/cart.js', 2, 21, 1, 17],
    ['main.js', 2, 27, 2, 21],
    ['till/lib/till.js', 2, 10, 1, 15],
    ['main.js', 2, 17, 1, 1],
  ]);
  assert.ok(report.stack.every((site) => /^[0-9a-f]{16}$/.test(site.function)));
});

test('a function keeps its name in another folder and in another release', async (t) => {
  const collector = await server(t);
  const old = program(t, SHOP);
  await run(old, { agent: idle(old, collector.url) });
  const changed = { ...SHOP, 'src/cart.js': `// A line more.\nfunction other() {}\n${SHOP['src/cart.js']}` };
  const next = program(t, changed);
  await run(next, { agent: idle(next, collector.url) });
  const [before, after] = await collector.reports(2);
  assert.equal(before.stack[0].function, after.stack[0].function);
  assert.notEqual(before.stack[0].line, after.stack[0].line);
  assert.deepEqual(before.stack.slice(1), after.stack.slice(1));
});

test('settings come from a file, and those of the environment win', async (t) => {
  const collector = await server(t);
  const settings = { url: collector.url, key: 'another', release: '7.7', send: 'message', cache: 'policy.cache', refresh: 1e6 };
  const folder = program(t, { 'main.js': `null.x`, 'wherefore-agent.json': JSON.stringify(settings), 'policy.cache': '7\n\n' });
  await run(folder, { agent: { key: KEY } });
  const [{ headers }] = await collector.first('POST');
  const [report] = await collector.reports();
  assert.equal(headers.authorization, `Bearer ${KEY}`);
  assert.equal(report.release, '7.7');
  assert.equal(report.message, "Cannot read properties of null (reading 'x')");
});

test('without a server or a key there is nothing', async (t) => {
  const folder = program(t, { 'main.js': `null.x` });
  const collector = await server(t);
  for (const agent of [{}, { url: collector.url }, { key: KEY }]) await run(folder, { agent });
  await run(folder, { agent: idle(folder, collector.url) });
  await collector.reports(1);
  assert.equal(collector.requests.filter((request) => request.method === 'POST').length, 1);
});

test('a report that nobody took is kept, and sent at the next start', async (t) => {
  const folder = program(t, { 'main.js': `if (process.argv[2]) null.x;` });
  const spool = path.join(folder, 'spool');
  const away = idle(folder, 'http://127.0.0.1:9', { spool });
  const isKept = () => (fs.existsSync(spool) ? fs.readdirSync(spool).filter((name) => name.endsWith('.report')) : []);
  let newest = [];
  for (let i = 0; i < 6; i++) {
    await run(folder, { args: ['crash'], agent: away });
    const before = newest;
    await until(() => (newest = isKept()).some((name) => !before.includes(name)));
  }
  const kept = fs.readdirSync(spool).filter((name) => name.endsWith('.report'));
  assert.equal(kept.length, 4);
  assert.equal(fs.statSync(path.join(spool, kept[0])).mode & 0o077, 0);
  const collector = await server(t);
  await run(folder, { agent: { ...away, url: collector.url, refresh: 0 } });
  const reports = await collector.reports(4);
  assert.deepEqual(reports.map((report) => `${report.id}.report`).sort(), kept.sort());
  await until(() => fs.readdirSync(spool).length === 0);
});

test('a report that was taken is not kept', async (t) => {
  const folder = program(t, { 'main.js': `null.x;` });
  const spool = path.join(folder, 'spool');
  const collector = await server(t);
  await run(folder, { agent: idle(folder, collector.url, { spool, wait: 5000 }) });
  await collector.reports();
  await until(() => fs.existsSync(spool) && fs.readdirSync(spool).length === 0);
});
