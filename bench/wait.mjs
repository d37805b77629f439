// node wait.mjs [--wherefore BIN] [--reps 3] [--only a,b] [--scale 1] [--cores 2,1]
// What a person waits for: the whole command `wherefore record -- node w`, beside the CPU time that the recorded program itself takes, with two
// cores and with one; then the first question, asked at once. Interleaved, medians of ratios of one run.
//
//   whole        elapsed time of the command, from its start to its end
//   program      CPU time (user and system) of the process of the recorded program, all its life, start-up and instrumenting included
//   recorder     CPU time of `wherefore record` itself
//   stalled      elapsed time of the program less its CPU time: it waited for room, or others had the core
//   first        elapsed time of the first question after it, while the index is made in the background
//
// On a machine that does other things the elapsed times are too long; the last column says what they would be on one that does not:
// the larger of both CPU times with two cores, their sum with one. The load is printed above.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../tests/shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../target/release/wherefore') },
  reps: { type: 'string', default: '3' },
  only: { type: 'string' },
  scale: { type: 'string', default: '1' },
  cores: { type: 'string', default: '2,1' },
} });
const LIMITS = { 2: 1.25, 1: 2, firstMs: 2000 };
// An ordinary place of each, and a line that the program comes to.
const QUESTIONS = {
  esprima: ['last-change', 'n', '--at', 'workloads/esprima.cjs:8'],
  express: ['last-change', 'k', '--at', 'workloads/express.cjs:22'],
  immutable: ['last-change', 'm', '--at', 'workloads/immutable.cjs:13'],
  lokijs: ['last-change', 'k', '--at', 'workloads/lokijs.cjs:13'],
  marked: ['last-change', 'text', '--at', 'workloads/marked.cjs:8'],
  typescript: ['last-change', 'n', '--at', 'workloads/typescript.cjs:8'],
};
const names = options.only ? options.only.split(',') : ['esprima', 'express', 'immutable', 'lokijs', 'marked', 'nbody', 'richards', 'typescript'];
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-wait-'));
process.on('exit', () => removeFolder(scratch));
const RESULT = path.join(scratch, 'result');
const results = new Map();
let n_broken = 0;

console.log(`${os.cpus().length} cores, load ${os.loadavg().map((load) => load.toFixed(1)).join(' ')}, workloads × ${options.scale}, medians of ${options.reps}\n`);
for (const n_cores of options.cores.split(',').map(Number)) await table(n_cores);
console.log(n_broken ? `\n${n_broken} limits broken` : '\nwithin all limits');
process.exit(n_broken ? 1 : 0);

async function table(n_cores) {
  const rows = Object.fromEntries(names.map((name) => [name, []]));
  for (let rep = 0; rep < Number(options.reps); rep++) {
    for (const name of names) rows[name].push(await once(name, n_cores));
  }
  console.log(`${n_cores} ${n_cores === 1 ? 'core' : 'cores'}, seconds\n`);
  console.log('| workload | million events | program | whole | whole ÷ program | limit | recorder | stalled | CPU alone ÷ program | first question | limit |');
  console.log('|---|---|---|---|---|---|---|---|---|---|---|');
  for (const [name, all] of Object.entries(rows)) {
    const middle = (read) => median(all.map(read));
    const alone = (row) => (n_cores === 1 ? row.program + row.recorder : Math.max(row.program, row.recorder)) / row.program;
    const first = QUESTIONS[name] ? [checked(middle((row) => row.first), LIMITS.firstMs / 1000), LIMITS.firstMs / 1000] : ['', ''];
    console.log(`| ${name} | ${(middle((row) => row.events) / 1e6).toFixed(1)} | ${seconds(middle((row) => row.program))} | ${seconds(middle((row) => row.whole))} | ${checked(middle((row) => row.whole / row.program), LIMITS[n_cores])} | ${LIMITS[n_cores]} | ${seconds(middle((row) => row.recorder))} | ${seconds(middle((row) => row.ran - row.program))} | ${middle(alone).toFixed(2)} | ${first[0]} | ${first[1]} |`);
  }
  console.log('');
}

async function once(name, n_cores) {
  const run = path.join(scratch, 'run');
  removeFolder(run);
  const told = path.join(scratch, 'cpu.json');
  const tell = path.join(scratch, 'tell.cjs');
  fs.writeFileSync(tell, `process.on('exit', () => { const { user, system } = process.cpuUsage(); require('fs').writeFileSync(${JSON.stringify(told)}, JSON.stringify({ cpu: (user + system) / 1e6, ran: process.uptime() })) })`);
  const workload = path.join(here, 'workloads', `${name}.cjs`);
  const command = [options.wherefore, 'record', '-o', run, '--', process.execPath, '-r', tell, workload];
  fs.rmSync(RESULT, { force: true });
  fs.rmSync(told, { force: true });
  const { seconds: whole, cpu, status, stderr } = await measured(pinned(command, n_cores));
  if (status !== 0) throw new Error(`${name}: the recorded program ended with ${status}\n${stderr}`);
  const check = JSON.parse(fs.readFileSync(RESULT, 'utf8')).check;
  if (check !== await expected(name)) throw new Error(`${name}: recorded, its result is ${check}, and else ${await expected(name)}`);
  const { cpu: program, ran } = JSON.parse(fs.readFileSync(told));
  if (!/([\d,]+) events/.test(stderr)) throw new Error(`${name}: nobody says how many events were recorded\n${stderr}`);
  const events = Number((/([\d,]+) events/.exec(stderr)?.[1] ?? '0').replaceAll(',', ''));
  let first = 0;
  if (QUESTIONS[name]) {
    const asked = await measured(pinned([options.wherefore, ...QUESTIONS[name], '--run', run], n_cores));
    if (asked.status > 1) throw new Error(`${name}: ${asked.stderr}`);
    first = asked.seconds;
  }
  // What is made in the background must not disturb the next one.
  await measured([options.wherefore, 'index', run]);
  while (isLocked(path.join(run, 'index.lock'))) await new Promise((resolve) => setTimeout(resolve, 50));
  return { whole, program, ran, recorder: cpu - program, events, first };
}

// What the workload comes to when it is not recorded.
async function expected(name) {
  if (!results.has(name)) {
    fs.rmSync(RESULT, { force: true });
    const { status, stderr } = await measured([process.execPath, path.join(here, 'workloads', `${name}.cjs`)]);
    if (status !== 0) throw new Error(`${name}: the program ends with ${status}\n${stderr}`);
    results.set(name, JSON.parse(fs.readFileSync(RESULT, 'utf8')).check);
  }
  return results.get(name);
}

function pinned(command, n_cores) {
  return n_cores < os.cpus().length ? ['taskset', '-c', [...Array(n_cores).keys()].join(','), ...command] : command;
}

// CPU time is that of the process and of all its children that it waited for, as bash tells it.
async function measured([command, ...args]) {
  const times = path.join(scratch, 'times');
  const script = `TIMEFORMAT='%R %U %S'; { time "$@" 2>&3 >/dev/null; } 3>&2 2>${times}`;
  const started = process.hrtime.bigint();
  const child = spawn('bash', ['-c', script, 'bash', command, ...args], { cwd: here, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, BENCH_SCALE: options.scale, BENCH_RESULT: RESULT } });
  let stderr = '';
  child.stderr.on('data', (text) => { stderr += text; });
  const status = await new Promise((resolve) => child.on('exit', resolve));
  const elapsed = Number(process.hrtime.bigint() - started) / 1e9;
  const [, user, system] = fs.readFileSync(times, 'utf8').trim().split(/\s+/).map(Number);
  return { seconds: elapsed, cpu: user + system, status, stderr };
}

// The process that makes an index holds a lock; flock of util-linux asks.
function isLocked(file) {
  if (!fs.existsSync(file)) return false;
  const inode = fs.statSync(file).ino;
  return fs.readFileSync('/proc/locks', 'utf8').split('\n').some((line) => line.includes('FLOCK') && line.includes(`:${inode} `));
}

function seconds(value) {
  return value.toFixed(2);
}

function checked(value, limit) {
  if (value <= limit) return value.toFixed(2);
  n_broken++;
  return `**${value.toFixed(2)}**`;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
