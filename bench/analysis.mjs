// node analysis.mjs [--wherefore BIN] [--scorer BIN] [--cache DIR] [--generated 40] [--only NAME] [--again]
// The call graph against recorded runs: hints from a run with one input, scored on a run with another (bench/analysis/*.cjs), against the
// limits; ESLint 4 with its dependencies for its size; and generated programs, of which every executed call must be found
// without any hint (tests/generated/soundness.mjs).
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../tests/shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../target/release/wherefore') },
  scorer: { type: 'string', default: path.join(here, '../target/release/analysis_bench') },
  cache: { type: 'string', default: path.join(here, '../target/bench/analysis') },
  generated: { type: 'string', default: '40' },
  only: { type: 'string' },
  again: { type: 'boolean', default: false },
} });
// What Jelly 0.13 reaches with approximate interpretation, in its own measures: recall of function → function edges, and the mean over
// executed calls of the part of the callees found that were called.
const LIMITS = {
  esprima: { recall: 100, precision: 90, ms: 1000, mb: 300 },
  lokijs: { recall: 94, precision: 93, ms: 1000, mb: 300 },
  immutable: { recall: 100, precision: 83, ms: 1000, mb: 300 },
  express: { recall: 93, precision: 95, ms: 1000, mb: 300 },
};
const LARGE = { ms: 20_000, mb: 1500 };
fs.mkdirSync(options.cache, { recursive: true });
let n_broken = 0;

console.log('| program | edges | recall % | precision of calls % | of edges % | ms | MB |');
console.log('|---|---|---|---|---|---|---|');
for (const [name, limits] of Object.entries(LIMITS)) {
  if (options.only && options.only !== name) continue;
  const program = path.join(here, 'analysis', `${name}.cjs`);
  const [hints, scored] = ['first', 'second'].map((input) => record(`${name}-${input}`, [program, input], here));
  const s = score(hints, scored);
  console.log(`| ${name} | ${s.edges} | ${atLeast(s.recall, limits.recall)} | ${atLeast(s['call-precision'], limits.precision)} | ${s.precision} | ${atMost(s['analysis-ms'], limits.ms)} | ${atMost(s['memory-mb'], limits.mb)} |`);
}
if (!options.only || options.only === 'eslint') eslint();
if (!options.only || options.only === 'generated') generated();
console.log(n_broken ? `\n${n_broken} limits broken` : '\nwithin all limits');
process.exit(n_broken ? 1 : 0);

function eslint() {
  const folder = path.join(options.cache, 'eslint-installed');
  if (!fs.existsSync(path.join(folder, 'node_modules/eslint'))) {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
    execute('npm', ['install', '--no-audit', '--no-fund', 'eslint@4.19.1'], folder);
  }
  fs.writeFileSync(path.join(folder, 'linted.js'), 'var a = 1;\nfunction f(b) { if (a == b) return a; }\n');
  const s = score(record('eslint', ['node_modules/eslint/bin/eslint.js', '--no-eslintrc', '--rule', 'eqeqeq: 1', 'linted.js'], folder));
  console.log(`| eslint 4, ${(s.bytes / 1e6).toFixed(1)} MB of code | ${s.edges} | ${s.recall} | ${s['call-precision']} | ${s.precision} | ${atMost(s['analysis-ms'], LARGE.ms)} | ${atMost(s['memory-mb'], LARGE.mb)} |`);
}

function generated() {
  const test = path.join(here, '../tests/generated/soundness.mjs');
  const done = spawnSync(process.execPath, [test, '--count', options.generated, '--wherefore', options.wherefore, '--scorer', options.scorer], { encoding: 'utf8' });
  console.log(`\n${done.stdout.trim()}${done.stderr}`);
  if (done.status !== 0) n_broken++;
}

// Made anew when the command line is newer.
function record(name, command, folder, again = options.again) {
  const run = path.join(options.cache, name);
  const isThere = fs.existsSync(path.join(run, 'run.txt')) && fs.statSync(run).mtimeMs > fs.statSync(options.wherefore).mtimeMs;
  if (isThere && !again) return run;
  removeFolder(run);
  execute(options.wherefore, ['record', '-o', run, '--', process.execPath, ...command], folder, [0, 1]);
  return run;
}

function score(hints, scored = hints, flags = []) {
  const lines = execute(options.scorer, [hints, scored, ...flags], here).trim().split('\n');
  const values = Object.fromEntries(lines.map((line) => line.split(' ', 2)));
  return { ...values, missed: lines.filter((line) => line.startsWith('miss ')) };
}

function execute(command, args, cwd, allowed = [0]) {
  const done = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (!allowed.includes(done.status)) throw new Error(`${command} ${args.join(' ')}: ${done.stderr}`);
  return done.stdout;
}

function atLeast(value, limit) {
  if (Number(value) >= limit) return `${value} (≥ ${limit})`;
  n_broken++;
  return `**${value}** (≥ ${limit})`;
}

function atMost(value, limit) {
  if (Number(value) <= limit) return `${value} (≤ ${limit})`;
  n_broken++;
  return `**${value}** (≤ ${limit})`;
}
