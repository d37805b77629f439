// node run.mjs [--count 200] [--wherefore BIN] [--node BIN] [--seed N]
// Kills a busy program (and, every second time, the recorder with it) at random instants. Every trace must open, and its events must be
// a prefix of the program's history that reaches at least to the last line it printed.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../../target/release/wherefore') },
  node: { type: 'string', default: process.execPath },
  count: { type: 'string', default: '200' },
  seed: { type: 'string', default: String(Date.now() % 1e6) },
  'max-ms': { type: 'string', default: '300' },
} });
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-kills-'));
const random = generator(Number(options.seed));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const victims = { program: 0, both: 0 };
let bad = 0;
let n_started = 0;
let n_events = 0;
for (let i = 0; i < Number(options.count); i++) {
  const victim = i % 2 ? 'both' : 'program';
  const problem = await killOnce(path.join(scratch, String(i)), victim);
  victims[victim]++;
  if (problem) { bad++; console.log(`kill ${i} (${victim}, seed ${options.seed}): ${problem}`); }
}
fs.rmSync(scratch, { recursive: true, force: true });
console.log(`${options.count} kills (${victims.program} of the program, ${victims.both} of program and recorder at once), ${n_started} after its first output, ${n_events} steps checked, ${bad} bad traces`);
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
  const problem = check(folder, printed);
  if (!problem) fs.rmSync(folder, { recursive: true, force: true });
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

function check(folder, printed) {
  if (!fs.existsSync(folder)) return printed.length ? 'printed, but there is no run' : undefined;
  const result = spawnSync(options.wherefore, ['events', folder, '--file', 'busy.cjs', '--format', 'json'], { encoding: 'utf8', maxBuffer: 1 << 30 });
  if (result.status !== 0 && !(result.status === 1 && printed.length === 0)) return printed.length || result.status > 1 ? `does not open: ${result.stderr}` : undefined;
  const events = result.stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const last = printed.at(-1)?.[0] ?? 0;
  if (last) n_started++;
  return prefixProblem(events, last);
}

// The history of busy.cjs is known: its steps in order, each with its values.
function prefixProblem(events, lastPrinted) {
  let step = 0;
  for (const e of events) {
    if (e.kind !== 'Put' || e.names[0] !== 'step') continue;
    step++;
    if (e.value.text !== String(step)) return `step ${step} was recorded as ${e.value.text}`;
  }
  n_events += step;
  if (step < lastPrinted) return `printed up to ${lastPrinted}, recorded up to ${step}`;
  let i = 0;
  let sum = 0;
  let additions = 0;
  for (const e of events) {
    if (e.kind === 'Param' && e.names[0] === 'i' && e.function === 'work') { i++; sum = 0; additions = 0; if (e.value.text !== String(i)) return `work(${i}) was recorded with ${e.value.text}`; }
    if (e.kind === 'Var' && e.names[0] === 'sum' && e.function === 'work') {
      const expected = additions === 0 ? 0 : sum + ((i * (additions - 1)) % 7);
      if (e.value.text !== String(expected)) return `in step ${i}, addition ${additions}: sum ${expected} was recorded as ${e.value.text}`;
      sum = expected;
      additions++;
    }
  }
  return undefined;
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
