#!/usr/bin/env node
// test262 parity runner: runs every test plain and transformed, reports outcome differences. See README.md.
import { fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { availableParallelism } from 'node:os';

const { values: o, positionals } = parseArgs({ allowPositionals: true, options: {
  test262: { type: 'string', default: process.env.TEST262 ?? '' },
  hook: { type: 'string' },            // JS module: export transform(source, info) [, prelude] [, init]
  server: { type: 'string' },          // command speaking JSON lines (persistent, one per worker)
  cmd: { type: 'string' },             // command run once per source; {in} {kind} substituted; stdout = code
  prelude: { type: 'string' },         // JS file evaluated in the transformed realm before the harness
  jobs: { type: 'string', default: String(availableParallelism()) },
  batch: { type: 'string', default: '100' },
  recycle: { type: 'string', default: '1500' },
  timeout: { type: 'string', default: '5000' },
  filter: { type: 'string' }, 'skip-features': { type: 'string', default: '' },
  limit: { type: 'string' }, sample: { type: 'string' },
  'plain-only': { type: 'boolean', default: false },
  out: { type: 'string', default: 'parity-results.json' },
  node: { type: 'string' },
  sparse: { type: 'string' },          // a number: each test with a random sparse policy instead of the full one
  differences: { type: 'string' },     // a file to list what differs in, one line each; empty if nothing does
  'fallback-on-error': { type: 'boolean', default: true },
  verbose: { type: 'boolean', default: false },
} });
const here = path.dirname(fileURLToPath(import.meta.url));
if (!o.test262 || !fs.existsSync(path.join(o.test262, 'harness/assert.js'))) { console.error('--test262 <checkout> (or $TEST262) is needed'); process.exit(2); }
const root = path.resolve(o.test262);
const dirs = positionals.length ? positionals : ['test/language'];
const files = [];
(function walk(list) { for (const f of list) { const st = fs.statSync(f); if (st.isDirectory()) walk(fs.readdirSync(f).sort().map((n) => path.join(f, n))); else if (f.endsWith('.js') && !f.includes('_FIXTURE')) files.push(f); } })(dirs.map((d) => path.resolve(root, d)));
let list = files.map((f) => path.relative(root, f));
if (o.filter) { const re = new RegExp(o.filter); list = list.filter((f) => re.test(f)); }
if (o.sample) { const k = Number(o.sample); list = list.filter((_, i) => i % k === 0); }
if (o.limit) list = list.slice(0, Number(o.limit));

const t0 = Date.now();
const queue = []; for (let i = 0; i < list.length; i += +o.batch) queue.push(list.slice(i, i + +o.batch));
const results = []; let done = 0, crashes = 0;
const execArgv = ['--experimental-vm-modules', '--expose-gc', '--no-warnings', '--stack-size=900'];
const conf = { root, hook: o.hook && path.resolve(o.hook), server: o.server, cmd: o.cmd, prelude: o.prelude && path.resolve(o.prelude), timeout: +o.timeout, plainOnly: o['plain-only'], sparse: o.sparse && +o.sparse, skipFeatures: o['skip-features'].split(',').filter(Boolean) };

function spawnWorker() {
  return new Promise((resolve) => {
    let child, cur = null, curFile = null, served = 0, watchdog, attempts = 0;
    const start = () => {
      child = fork(path.join(here, 'worker.mjs'), [], { execArgv, execPath: o.node, stdio: ['ignore', 'inherit', o.verbose ? 'inherit' : 'ignore', 'ipc'] });
      served = 0;
      child.on('message', (m) => {
        if (m.ready) return next();
        if (m.start) { curFile = m.start; arm(); return; }
        if (m.result) { results.push(...m.result); cur = cur.filter((f) => f !== m.file); curFile = null; done++; served++; arm(); if (o.verbose || done % 2000 === 0) process.stderr.write(`\r${done}/${list.length} `); }
        if (m.batchDone) { cur = null; if (served >= +o.recycle) { child.removeAllListeners('exit'); child.disconnect(); setTimeout((c) => c.kill('SIGKILL'), 500, child); clearTimeout(watchdog); start(); } else next(); }
      });
      child.on('exit', (code, sig) => { // crash: blame the current file, go on with the rest
        clearTimeout(watchdog);
        if (cur === null && !curFile) return;
        crashes++;
        if (curFile) { results.push({ file: curFile, mode: '*', plain: { status: 'crash', error: `${code}/${sig}` }, trans: { status: 'crash' }, verdict: 'crash' }); cur = cur.filter((f) => f !== curFile); done++; curFile = null; attempts = 0; }
        else if (++attempts > 5) { console.error('worker will not start', code, sig); process.exit(3); }
        if (cur.length) queue.unshift(cur); cur = null; start();
      });
      child.send({ conf });
    };
    const arm = () => { clearTimeout(watchdog); watchdog = setTimeout(() => child.kill('SIGKILL'), conf.timeout * 6); };
    const next = () => { clearTimeout(watchdog); const b = queue.shift(); if (!b) { cur = null; child.removeAllListeners('exit'); child.disconnect(); setTimeout(() => child.kill('SIGKILL'), 500).unref(); return resolve(); } cur = b; arm(); child.send({ batch: b }); };
    start();
  });
}
await Promise.all(Array.from({ length: Math.min(+o.jobs, queue.length || 1) }, spawnWorker));

const secs = (Date.now() - t0) / 1000;
const count = (a, k) => a.reduce((m, r) => (m[k(r)] = (m[k(r)] ?? 0) + 1, m), {});
const ran = results.filter((r) => r.verdict !== 'skip');
const diffs = ran.filter((r) => ['regression', 'masked', 'error-differs', 'transform-error'].includes(r.verdict));
const sum = {
  files: list.length, runs: ran.length, skipped: results.length - ran.length, seconds: secs, runsPerSecond: Math.round(ran.length / secs), workerCrashes: crashes,
  plain: count(ran, (r) => r.plain?.status ?? 'none'), verdicts: count(results, (r) => r.verdict),
  transformSeconds: +(ran.reduce((s, r) => s + (r.tms ?? 0), 0) / 1000).toFixed(2),
  regressionsByDir: count(diffs.filter((r) => r.verdict === 'regression'), (r) => r.file.split('/').slice(1, 4).join('/')),
};
let commit = ''; try { commit = (await import('node:child_process')).execSync('git rev-parse HEAD', { cwd: root }).toString().trim(); } catch {}
fs.writeFileSync(o.out, JSON.stringify({ summary: sum, test262: commit, node: process.version, args: process.argv.slice(2), diffs, plainFailures: ran.filter((r) => r.plain && r.plain.status !== 'pass').map((r) => ({ file: r.file, mode: r.mode, ...r.plain })) }, null, 1));
console.log(JSON.stringify(sum, null, 1));
if (o.differences) fs.writeFileSync(o.differences, diffs.filter((d) => d.verdict !== 'transform-error').map((d) => `${d.verdict} ${d.file} [${d.mode}]\n`).sort().join(''));
for (const d of diffs.filter((r) => r.verdict !== 'transform-error').slice(0, 15)) console.log(`${d.verdict.padEnd(13)} ${d.file} [${d.mode}]\n   plain: ${d.plain.status} ${d.plain.error ?? ''}\n   trans: ${d.trans.status} ${d.trans.error ?? ''}`);
process.exit(sum.verdicts.regression || sum.verdicts.masked || sum.verdicts['error-differs'] ? 1 : 0);
