// node sessions.mjs [--wherefore BIN] [--asker BIN] [--cache DIR] [--events 100] [--again]
// One run of so many million events, asked by eight threads of one process that records another program meanwhile, while another
// process holds `judge` open on a run of the same folder: whether each answer is the one that is given alone, how long anybody
// waits for a lock, how soon a cancelled question ends, what an overview and a step back over a long call take, against the limits.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { longRun } from './long-run.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../target/release/wherefore') },
  asker: { type: 'string', default: path.join(here, '../target/release/session_bench') },
  cache: { type: 'string', default: path.join(here, '../target/bench') },
  events: { type: 'string', default: '100' },
  again: { type: 'boolean' },
} });
const LIMITS = { waited: 100, cancelled: 50, overview: 50, 'step-back': 50 };
const folder = path.join(options.cache, 'sessions');
fs.mkdirSync(folder, { recursive: true });
fs.writeFileSync(path.join(folder, 'short.js'), `let sum = 0; for (let i = 0; i < 20000; i++) sum += i % 3; console.log(sum);\n`);

const run = longRun({ wherefore: options.wherefore, folder, millions: Number(options.events), again: options.again });
const judge = spawn(options.wherefore, ['judge', '--run', run], { stdio: ['pipe', 'ignore', 'ignore'] });
const asked = spawnSync(options.asker, [run, '--', 'node', path.join(folder, 'short.js')], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
judge.kill();
if (asked.status !== 0) process.exit(1);
const found = Object.fromEntries(asked.stdout.trim().split('\n').map((line) => { const [name, ...numbers] = line.split(' '); return [name, numbers.map(Number)]; }));
console.log(`a run of ${(found.events[0] / 1e6).toFixed(0)} million events; another program was recorded ${found.recorded[0]} times meanwhile\n`);
console.log('| milliseconds | median | 95th percentile | max | limit |');
console.log('|---|---|---|---|---|');
let n_broken = 0;
const names = { alone: 'a question, alone', together: 'a question, eight threads at once', waited: 'the longest that a question waited for a lock', cancelled: `until a cancelled question has ended (${found['n-cancelled'][0]} of 20 were not done before)`, overview: 'an overview, at any zoom', 'step-back': `a step back (the longest over ${(found.longest[0] / 1e6).toFixed(1)} million events)` };
for (const [name, text] of Object.entries(names)) {
  const [median, high, max] = found[name];
  const limit = LIMITS[name];
  const isBroken = limit !== undefined && max > limit;
  if (isBroken) n_broken++;
  console.log(`| ${text} | ${median.toFixed(1)} | ${high.toFixed(1)} | ${isBroken ? '**' : ''}${max.toFixed(1)}${isBroken ? '**' : ''} | ${limit ?? ''} |`);
}
console.log(`\nanswers that are not those given alone: ${found.wrong[0]}; alone, asked twice: ${found.unstable[0]}`);
if (found.wrong[0] + found.unstable[0] > 0) n_broken++;
console.log(n_broken ? `\n${n_broken} limits broken` : '\nwithin all limits');
process.exit(n_broken ? 1 : 0);
