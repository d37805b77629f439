// node run.mjs [--count 200] [--wherefore BIN] [--node BIN] [--seed N]
// Kills a busy program (and, every second time, the recorder with it) at random instants. Every trace must open, and its events must be
// a prefix of the program's history that reaches at least to the last line it printed.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { eachLine } from '../parity/lines.mjs';
import { History } from './history.mjs';
import { removeFolder } from '../shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../../target/release/wherefore') },
  node: { type: 'string', default: process.execPath },
  count: { type: 'string', default: '200' },
  seed: { type: 'string', default: String(Date.now() % 1e6) },
  'max-ms': { type: 'string', default: '100' },
} });
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-kills-'));
const random = generator(Number(options.seed));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const victims = { program: 0, both: 0 };
let bad = 0;
let n_started = 0;
let n_steps = 0;
for (let i = 0; i < Number(options.count); i++) {
  const victim = i % 2 ? 'both' : 'program';
  const problem = await killOnce(path.join(scratch, String(i)), victim);
  victims[victim]++;
  if (problem) { bad++; console.log(`kill ${i} (${victim}, seed ${options.seed}): ${problem}`); }
}
removeFolder(scratch);
console.log(`${options.count} kills (${victims.program} of the program, ${victims.both} of program and recorder at once), ${n_started} after its first output, ${n_steps} steps checked, ${bad} bad traces`);
process.exit(bad ? 1 : 0);

async function killOnce(folder, victim) {
  const output = path.join(scratch, 'output');
  const fd = fs.openSync(output, 'w');
  const child = spawn(options.wherefore, ['record', '-o', folder, '--', options.node, path.join(here, 'busy.cjs')], { stdio: ['ignore', fd, 'ignore'], detached: true });
  const ended = new Promise((resolve) => child.on('close', resolve));
  // One in five is killed while it starts, the others while they work.
  const isEarly = random() < 0.2;
  while (!isEarly && fs.fstatSync(fd).size === 0 && child.exitCode === null) await pause(2);
  await pause(random() * Number(options['max-ms']));
  if (victim === 'both') process.kill(-child.pid, 'SIGKILL');
  else killChildrenOf(child);
  await ended;
  fs.closeSync(fd);
  const printed = fs.readFileSync(output, 'utf8').split('\n').filter(Boolean).map((line) => line.split(' ').map(Number));
  const problem = await check(folder, printed);
  if (!problem) removeFolder(folder);
  return problem;
}

// The program is the recorder's child; before it has been started there is none, and the recorder is killed instead.
function killChildrenOf(child) {
  const list = `/proc/${child.pid}/task/${child.pid}/children`;
  const children = fs.existsSync(list) ? fs.readFileSync(list, 'utf8').trim().split(' ').filter(Boolean).map(Number) : [];
  for (const pid of children.length ? children : [child.pid]) {
    try { process.kill(pid, 'SIGKILL'); } catch { /* it has just ended */ }
  }
}

async function check(folder, printed) {
  if (!fs.existsSync(folder)) return printed.length ? 'printed, but there is no run' : undefined;
  const lastPrinted = printed.at(-1)?.[0] ?? 0;
  if (lastPrinted) n_started++;
  const history = new History();
  const kinds = ['Put', 'Param', 'Var'].flatMap((kind) => ['--kind', kind]);
  const reader = spawn(options.wherefore, ['events', folder, '--file', 'busy.cjs', ...kinds, '--format', 'json'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  reader.stderr.on('data', (text) => { complaint += text; });
  eachLine(reader.stdout, (line) => history.take(JSON.parse(line)));
  const status = await new Promise((resolve) => reader.on('close', resolve));
  n_steps += history.step;
  // 1: it opens, and there is nothing in it yet.
  if (status > 1 || (status === 1 && lastPrinted)) return `does not open: ${complaint}`;
  return history.problem ?? (history.step < lastPrinted ? `printed up to ${lastPrinted}, recorded up to ${history.step}` : undefined);
}

// Repeatable: the same seed gives the same instants.
function generator(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
