// node query.mjs [--wherefore BIN] [--asker BIN] [--cache DIR] [--questions 1000] [--events 100] [--again]
// How fast questions about a large recording are answered and what recordings take on disk, against the limits. The recording
// (esprima, at least --events million) is made once and kept in --cache; --again makes it anew.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../tests/shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../target/release/wherefore') },
  asker: { type: 'string', default: path.join(here, '../target/release/query_bench') },
  cache: { type: 'string', default: path.join(here, '../target/bench') },
  questions: { type: 'string', default: '1000' },
  events: { type: 'string', default: '100' },
  again: { type: 'boolean' },
} });
const LIMITS = { openMs: 100, answerMs: 50, memory: 1e9, scan: 100e6, bytes: 2, ready: 0.1 };
const REAL = ['esprima', 'lokijs', 'immutable', 'marked', 'typescript', 'express'];
const QUESTIONS = { 'last-change': 'last-change', 'last-condition': 'last-condition', history: 'history, the newest 50 changes', state: 'state: stack and variables', object: 'state: an object', 'find-by-place': 'find by place' };
const runs = path.join(options.cache, 'recordings');
fs.mkdirSync(runs, { recursive: true });
let n_broken = 0;

const large = largeRecording();
questions(large);
sizes();
console.log(n_broken ? `\n${n_broken} limits broken` : '\nwithin all limits');
process.exit(n_broken ? 1 : 0);

// Of esprima, parsing as often as it takes. Made anew when the command line is newer.
function largeRecording() {
  const wanted = Number(options.events) * 1e6;
  const run = path.join(runs, 'large');
  const isThere = !options.again && fs.existsSync(path.join(run, 'run.txt')) && fs.statSync(run).mtimeMs > fs.statSync(options.wherefore).mtimeMs;
  if (isThere && size(run).events >= wanted) return run;
  for (let scale = 0.25; ; scale *= 2) {
    record('esprima', run, scale);
    if (size(run).events >= wanted) return run;
  }
}

function questions(run) {
  const { events, bytes } = size(run);
  console.log(`a recording of ${(events / 1e6).toFixed(0)} million events of esprima, ${(bytes / 1e6).toFixed(0)} MB; ${options.questions} random questions of each kind\n`);
  const chosen = execute(options.asker, ['choose', run, options.questions]);
  const took = Object.fromEntries(execute(options.asker, ['ask', run], { input: chosen }).trim().split('\n').map((line) => { const [name, ...numbers] = line.split(' '); return [name, numbers.map(Number)]; }));
  console.log('| milliseconds | median | 99th percentile | max | limit |');
  console.log('|---|---|---|---|---|');
  console.log(`| opening | ${took.opening[0].toFixed(1)} | | ${checked(took.opening[2], LIMITS.openMs, 1)} | ${LIMITS.openMs} |`);
  for (const [kind, name] of Object.entries(QUESTIONS)) {
    const [median, high, max] = took[kind];
    const [n_answered] = took[`answered-${kind}`];
    const isCut = n_answered < Number(options.questions);
    if (isCut) n_broken++;
    console.log(`| ${name}${isCut ? `, **only ${n_answered} answered in a minute**` : ''} | ${median.toFixed(2)} | ${checked(high, LIMITS.answerMs)} | ${max.toFixed(1)} | ${LIMITS.answerMs} at the 99th percentile |`);
  }
  console.log(`\nmost memory of the asking process: ${checked(took['memory-history'][0] / 1e6, LIMITS.memory / 1e6, 0)} MB (limit ${LIMITS.memory / 1e6} MB), with the scan ${(took['memory-scan'][0] / 1e6).toFixed(0)} MB`);
  const scan = took.scan[0];
  if (scan < LIMITS.scan) n_broken++;
  console.log(`scan of all events on two cores: ${scan < LIMITS.scan ? '**' : ''}${(scan / 1e6).toFixed(0)}${scan < LIMITS.scan ? '**' : ''} million events a second (limit ${LIMITS.scan / 1e6})\n`);
}

function sizes() {
  console.log('| workload | million events | bytes an event | limit | program ran, s | then until the run was ready, s | part of the running time | limit |');
  console.log('|---|---|---|---|---|---|---|---|');
  for (const name of REAL) {
    const run = path.join(runs, name);
    const { ranMs, readyMs } = record(name, run, 1);
    const { events, bytes } = size(run);
    console.log(`| ${name} | ${(events / 1e6).toFixed(1)} | ${checked(bytes / events, LIMITS.bytes)} | ${LIMITS.bytes} | ${(ranMs / 1e3).toFixed(2)} | ${(readyMs / 1e3).toFixed(2)} | ${checked(readyMs / ranMs, LIMITS.ready)} | ${LIMITS.ready} |`);
    removeFolder(run);
  }
}

// How long the program ran, and how long after its end the recording was complete.
function record(name, run, scale) {
  removeFolder(run);
  const ended = `${run}.ended`;
  const program = `node ${path.join(here, 'workloads', `${name}.cjs`)} > /dev/null; date +%s%N > ${ended}`;
  const started = Date.now();
  execute(options.wherefore, ['record', '-o', run, '--', 'sh', '-c', program], { env: { ...process.env, BENCH_SCALE: String(scale) }, cwd: here });
  const readyAt = Date.now();
  // Sizes and questions are those with the index, which is made in the background.
  while (!fs.readdirSync(run).some((name) => name.endsWith('.index'))) {
    execute(options.wherefore, ['index', run]);
    spawnSync('sleep', ['0.2']);
  }
  const endedAt = Number(fs.readFileSync(ended, 'utf8')) / 1e6;
  fs.rmSync(ended);
  return { ranMs: endedAt - started, readyMs: Math.max(0, readyAt - endedAt) };
}

function size(run) {
  const [, events, bytes] = execute(options.asker, ['size', run]).trim().split(' ').map(Number);
  return { events, bytes };
}

function execute(command, args, more = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28, ...more });
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${result.error ?? result.stderr}`);
  if (command === options.asker && result.stderr) process.stderr.write(result.stderr);
  return result.stdout;
}

function checked(value, limit, digits = 2) {
  if (value <= limit) return value.toFixed(digits);
  n_broken++;
  return `**${value.toFixed(digits)}**`;
}
