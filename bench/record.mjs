// node record.mjs [--wherefore BIN] [--reps 5] [--only a,b]
// What a full recording costs, beside what istanbul code coverage costs on the same program, against the limits.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../tests/shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../target/release/wherefore') },
  reps: { type: 'string', default: '5' },
  only: { type: 'string' },
} });
const KERNELS = ['nbody', 'richards'];
// Nearly every object is used through a proxy, whose number is looked up in a WeakMap.
const PROXIES = ['vue', 'mobx'];
const LIMITS = { real: 3, proxies: 5, kernel: 8, rss: 2, startMs: 60, instrumentMs: 1500 };
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-bench-'));
process.on('exit', () => removeFolder(scratch));
let n_broken = 0;

workloads();
startUp();
instrumenting();
console.log(n_broken ? `\n${n_broken} limits broken` : '\nwithin all limits');
process.exit(n_broken ? 1 : 0);

function workloads() {
  const run = path.join(scratch, 'run');
  const recorded = `rm -rf ${run}; ${options.wherefore} record -o ${run} -- node {}`;
  const args = [path.join(here, 'run.mjs'), '--json', '--reps', options.reps, `full=${recorded}`];
  if (options.only) args.push('--only', options.only);
  const result = spawnSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const rows = JSON.parse(result.stdout);
  console.log('CPU of the program and its peak memory, × plain node; median [min–max]\n');
  console.log('| workload | istanbul | full recording | full ÷ istanbul | limit | memory | limit | whole command |');
  console.log('|---|---|---|---|---|---|---|---|');
  for (const [name, { istanbul, full }] of Object.entries(rows)) {
    if (istanbul.error || full.error) { n_broken++; console.log(`| ${name} | ${istanbul.error ?? ''} | ${full.error ?? ''} | | | | | |`); continue; }
    const quotient = full.cpu / istanbul.cpu;
    const limit = KERNELS.includes(name) ? LIMITS.kernel : PROXIES.includes(name) ? LIMITS.proxies : LIMITS.real;
    console.log(`| ${name} | ${ratio(istanbul)} | ${ratio(full)} | ${checked(quotient, limit)} | ${limit} | ${checked(full.rss, LIMITS.rss)} | ${LIMITS.rss} | ${full.whole.toFixed(2)} |`);
  }
}

function startUp() {
  const run = path.join(scratch, 'start');
  const node = [process.execPath, '-e', '0'];
  const times = { plain: [], recorded: [] };
  for (let i = 0; i < 31; i++) {
    times.plain.push(milliseconds(node));
    removeFolder(run);
    times.recorded.push(milliseconds([options.wherefore, 'record', '-o', run, '--', ...node]));
  }
  const [plain, recorded] = [median(times.plain), median(times.recorded)];
  console.log(`\nstart-up, node -e 0: plain ${plain.toFixed(1)} ms, recorded ${recorded.toFixed(1)} ms, cost ${checked(recorded - plain, LIMITS.startMs, 1)} ms (limit ${LIMITS.startMs} ms)`);
}

function instrumenting() {
  const file = path.join(here, 'node_modules/typescript/lib/typescript.js');
  const alone = median([1, 2, 3].map(() => milliseconds([options.wherefore, 'instrument', file])));
  const megabytes = (fs.statSync(file).size / 1e6).toFixed(1);
  console.log(`instrumenting typescript.js (${megabytes} MB), the whole command: ${checked(alone, LIMITS.instrumentMs, 0)} ms (limit ${LIMITS.instrumentMs} ms)`);
  const load = [process.execPath, '-e', `require(${JSON.stringify(file)})`];
  const cache = path.join(scratch, 'cache');
  const recorded = () => {
    const run = path.join(scratch, 'load');
    removeFolder(run);
    return milliseconds([options.wherefore, 'record', '-o', run, '--', ...load], { XDG_CACHE_HOME: cache });
  };
  const plain = median([1, 2, 3].map(() => milliseconds(load)));
  const cold = recorded();
  const warm = median([1, 2, 3].map(recorded));
  console.log(`requiring it: plain ${plain.toFixed(0)} ms, recorded for the first time ${cold.toFixed(0)} ms, from the cache ${warm.toFixed(0)} ms`);
}

function milliseconds([command, ...args], env = {}) {
  const started = process.hrtime.bigint();
  const result = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } });
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${result.stderr}`);
  return Number(process.hrtime.bigint() - started) / 1e6;
}

function ratio({ cpu, min, max }) {
  return `${cpu.toFixed(2)} [${min.toFixed(2)}–${max.toFixed(2)}]`;
}

function checked(value, limit, digits = 2) {
  if (value <= limit) return value.toFixed(digits);
  n_broken++;
  return `**${value.toFixed(digits)}**`;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
