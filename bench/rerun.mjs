// node rerun.mjs [--wherefore BIN] [--reps 5] [--only a,b] [--scale 1] | --hundred-million
// What it costs to run a program again with only the hooks of a question: of one property, and of a chain of three questions
// (a property, a line and a variable that can be seen there), beside a full recording.
//
// Which properties are hooked: rerun/hooks.mjs.
// With --hundred-million: whether a hook may fire that often (rerun/hundred-million.mjs).
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { hooksOf } from './rerun/hooks.mjs';
import { hundredMillion } from './rerun/hundred-million.mjs';
import { removeFolder } from '../tests/shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../target/release/wherefore') },
  reps: { type: 'string', default: '5' },
  scale: { type: 'string', default: '1' },
  only: { type: 'string' },
  'hundred-million': { type: 'boolean', default: false },
} });
const KERNELS = ['nbody', 'richards'];
const REAL = ['esprima', 'lokijs', 'immutable', 'marked', 'typescript', 'express'];
const LIMITS = { median: 1.05, worst: 1.3, kernel: 1.7, chainMedian: 1.15 };
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-rerun-'));
process.on('exit', () => removeFolder(scratch));
let n_broken = 0;

if (options['hundred-million']) process.exit(await hundredMillion({ wherefore: path.resolve(options.wherefore), scratch }) ? 1 : 0);

const names = options.only ? options.only.split(',') : [...REAL, ...KERNELS];
console.log('CPU of the program, × plain node; median [min–max]\n');
console.log('| workload | hooks | hottest property | property in the middle | chain of three | full recording |');
console.log('|---|---|---|---|---|---|');
const measured = new Map();
for (const name of names) {
  const hooks = hooksOf({ wherefore: options.wherefore, scratch, name });
  const row = measure(name, hooks);
  measured.set(name, row);
  const text = (it) => it.error ? it.error : `${it.cpu.toFixed(2)} [${it.min.toFixed(2)}–${it.max.toFixed(2)}]`;
  if (row.hottest.error || row.middle.error || row.chain.error) n_broken++;
  console.log(`| ${name} | \`${hooks.property}\`, \`${hooks.middle}\`, ${hooks.line}, \`${hooks.variable}\` | ${text(row.hottest)} | ${text(row.middle)} | ${text(row.chain)} | ${text(row.full)} |`);
}
const of = (kind, group) => group.flatMap((name) => measured.get(name)?.[kind].cpu ?? []);
const hooks = [...of('hottest', REAL), ...of('middle', REAL)];
limit('one property, real workloads, median of all hooks', median(hooks), LIMITS.median);
limit('one property, real workloads, worst', Math.max(...hooks), LIMITS.worst);
limit('one property, kernels, worst', Math.max(...of('hottest', KERNELS), ...of('middle', KERNELS)), LIMITS.kernel);
limit('chain of three, real workloads, median', median(of('chain', REAL)), LIMITS.chainMedian);
console.log(n_broken ? `\n${n_broken} limits broken` : '\nwithin all limits');
process.exit(n_broken ? 1 : 0);

function measure(name, { property, middle, line, variable }) {
  const run = path.join(scratch, 'run');
  const recorded = (policy) => `rm -rf ${run}; ${options.wherefore} record -o ${run} ${policy} -- ${process.execPath} {}`;
  const chain = `needed properties=${property} lines=${line} variables=${variable}`;
  const result = spawnSync(process.execPath, [path.join(here, 'run.mjs'), '--json', '--reps', options.reps, '--scale', options.scale, '--only', name,
    `hottest=${recorded(`--policy 'needed properties=${property}'`)}`, `middle=${recorded(`--policy 'needed properties=${middle}'`)}`, `chain=${recorded(`--policy '${chain}'`)}`, `full=${recorded('')}`],
  { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(result.stdout)[name];
}

function limit(what, value, most) {
  if (!Number.isFinite(value)) return;
  const holds = value <= most;
  if (!holds) n_broken++;
  console.log(`${what}: ${holds ? value.toFixed(3) : `**${value.toFixed(3)}**`} (limit ${most})`);
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}
