// node run.mjs [--wherefore BIN] [--node BIN] [--small] [--only a,b] [--plain-only]
// Runs the own test suites of npm packages plain and recorded, and compares which tests pass and which fail.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { readers } from './readers.mjs';
import { suites } from './suites.mjs';
import { removeFolder } from '../shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../../target/release/wherefore') },
  node: { type: 'string', default: process.execPath },
  only: { type: 'string' },
  small: { type: 'boolean', default: false },
  'plain-only': { type: 'boolean', default: false },
  timeout: { type: 'string', default: '900' },
} });
const only = options.only?.split(',');
const chosen = suites.filter((s) => (only ? only.includes(s.name) : !options.small || s.small));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-packages-'));
process.on('exit', () => removeFolder(scratch));

let failures = 0;
console.log(`${'package'.padEnd(20)} ${'plain'.padEnd(22)} ${'recorded'.padEnd(22)} ${'seconds'.padEnd(12)} verdict`);
for (const suite of chosen) {
  const plain = runSuite(suite, false);
  const recorded = options['plain-only'] ? plain : runSuite(suite, true);
  const differences = compare(plain.tests, recorded.tests);
  // Tests that depend on time or chance differ from one plain run to the next; only what differs each time is a difference.
  let real = differences;
  for (let again = 0; again < 2 && real.length; again++) {
    const still = new Set(compare(runSuite(suite, false).tests, runSuite(suite, true).tests).map((d) => d.test));
    real = real.filter((d) => still.has(d.test));
  }
  const n_unstable = differences.length - real.length;
  const empty = plain.tests.size === 0;
  if (real.length || empty) failures++;
  const verdict = empty ? 'NO RESULTS' : real.length ? `${real.length} DIFFER` : n_unstable ? `same (${n_unstable} that depend on time)` : 'same';
  console.log(`${suite.name.padEnd(20)} ${count(plain).padEnd(22)} ${count(recorded).padEnd(22)} ${`${plain.seconds} → ${recorded.seconds}`.padEnd(12)} ${verdict}   (${suite.kind})`);
  for (const d of real.slice(0, 10)) console.log(`    ${d.test}: plain ${d.plain}, recorded ${d.recorded}`);
  if (empty || real.length) console.log(`    plain: ${plain.tail}\n    recorded: ${recorded.tail}`.replace(/\n(?=.)/g, '\n    '));
}
console.log(`${chosen.length} suites, ${failures} with differences`);
process.exit(failures ? 1 : 0);

function runSuite(suite, recorded) {
  const folder = prepare(suite);
  const command = expand(suite, folder);
  const traces = path.join(scratch, 'traces');
  const started = Date.now();
  const full = recorded ? [options.wherefore, 'record', '-o', traces, '--', ...command] : command;
  // Into files: what a program wrote to a pipe before process.exit() can get lost.
  const [out, err] = ['stdout', 'stderr'].map((name) => path.join(scratch, name));
  const fds = [fs.openSync(out, 'w'), fs.openSync(err, 'w')];
  const result = spawnSync(full[0], full.slice(1), {
    cwd: folder, timeout: +options.timeout * 1000, stdio: ['ignore', ...fds],
    env: { ...process.env, PATH: `${path.dirname(options.node)}:${process.env.PATH}`, FORCE_COLOR: '0', NODE_OPTIONS: '', CI: '1' },
  });
  fds.forEach((fd) => fs.closeSync(fd));
  const [stdout, stderr] = [out, err].map((file) => fs.readFileSync(file, 'utf8'));
  const tests = readers[suite.read](stdout);
  removeFolder(traces);
  removeFolder(folder);
  return { tests, seconds: Math.round((Date.now() - started) / 1000), tail: `exit ${result.status ?? result.signal}\n${(stderr + stdout).slice(-1200)}` };
}

// Frameworks ignore what lies below node_modules, so each run works in a copy beside it.
function prepare(suite) {
  const folder = path.join(here, 'work', suite.from);
  removeFolder(folder);
  fs.cpSync(path.join(here, 'node_modules', suite.from), folder, { recursive: true, dereference: true });
  for (const [name, target] of Object.entries(suite.alias ?? {})) {
    fs.mkdirSync(path.join(folder, 'node_modules'), { recursive: true });
    fs.symlinkSync(path.join(here, 'node_modules', target), path.join(folder, 'node_modules', name));
  }
  for (const [name, text] of Object.entries(suite.files ?? {})) fs.writeFileSync(path.join(folder, name), text);
  return folder;
}

function expand(suite, folder) {
  const [tool, ...rest] = suite.run;
  const args = rest.flatMap((a) => (a.includes('*') && !a.startsWith('**/') ? glob(folder, a) : [a])).filter((a) => !suite.without?.includes(a));
  if (tool === 'node') return [options.node, ...args];
  const extra = suite.read === 'mocha' ? ['--reporter', 'json'] : [];
  const manifest = JSON.parse(fs.readFileSync(path.join(here, 'node_modules', tool, 'package.json'), 'utf8'));
  const bin = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[tool];
  return [options.node, path.join(here, 'node_modules', tool, bin), ...extra, ...args];
}

// Only `*` in a file name and `/**/` are used by the suites.
function glob(folder, pattern) {
  const [dir, name] = [path.dirname(pattern).replace(/\/\*\*$/, ''), path.basename(pattern)];
  const wanted = new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
  const deep = pattern.includes('/**/');
  return fs.readdirSync(path.join(folder, dir), { withFileTypes: true, recursive: deep })
    .filter((e) => e.isFile() && wanted.test(e.name)).map((e) => path.relative(folder, path.join(e.parentPath ?? e.path, e.name))).sort();
}

function compare(plain, recorded) {
  const differences = [];
  for (const test of new Set([...plain.keys(), ...recorded.keys()])) {
    if (plain.get(test) !== recorded.get(test)) differences.push({ test, plain: plain.get(test) ?? 'absent', recorded: recorded.get(test) ?? 'absent' });
  }
  return differences;
}

function count({ tests }) {
  const failed = [...tests.values()].filter((v) => v === 'fail').length;
  return `${tests.size - failed} pass, ${failed} fail`;
}
