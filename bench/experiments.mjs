// node experiments.mjs [--wherefore BIN] [--cache DIR] [--only NAME] [--bugs] [--unseen] [--budget 100,30s] [--verbose]
// What `why --experiment` proves about real bugs: whether the line of the cause (give or take 2) is among the proven ones, and among
// the first three that lead the answer; how many runs and seconds it took; and what one experiment costs beside a plain run.
//
// The bugs of bugs-unseen/ are told apart: nothing was ever tuned on them.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { installed } from './bugs.mjs';
import { removeFolder } from '../tests/shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../target/release/wherefore') },
  cache: { type: 'string', default: path.join(here, '../target/bench') },
  only: { type: 'string' },
  bugs: { type: 'boolean' },
  unseen: { type: 'boolean' },
  budget: { type: 'string', default: '100,30s' },
  verbose: { type: 'boolean' },
} });
const NEAR = 2;
const SPECIFIC = 3;
const everything = !options.bugs && !options.unseen;
for (const set of ['bugs', 'bugs-unseen']) {
  if (everything || (set === 'bugs' ? options.bugs : options.unseen)) table(set);
}

function table(set) {
  const names = fs.readdirSync(path.join(here, set)).filter((name) => !options.only || name.includes(options.only)).sort();
  console.log(`| ${set} | cause within ten hops | proven lines | cause proven | cause leads | hops or lead | runs | checks | seconds | experiment ÷ plain | |`);
  console.log('|---|---|---|---|---|---|---|---|---|---|---|');
  const rows = names.map((name) => row(set, name));
  const count = (key) => rows.filter((r) => r[key]).length;
  const costs = rows.flatMap((r) => r.cost ?? []).sort((a, b) => a - b);
  console.log(`| **${rows.length} bugs** | **${count('inChain')}** | | **${count('isProven')}** | **${count('leads')}** | **${count('either')}** | ${sum(rows, 'runs')} | ${sum(rows, 'checks')} | ${sum(rows, 'seconds').toFixed(0)} | median ${costs[costs.length >> 1]?.toFixed(2) ?? '–'} | |\n`);
}

function row(set, name) {
  const { cause } = JSON.parse(fs.readFileSync(path.join(here, set, name, 'TRUTH.json'), 'utf8'));
  const folder = installed(set, name, options.cache);
  const args = ['why', '--experiment', '--budget', options.budget, '--format', 'json', '--', 'node', '--no-deprecation', 'repro.cjs'];
  const asked = spawnSync(options.wherefore, args, { cwd: folder, encoding: 'utf8', timeout: 300_000, maxBuffer: 1 << 28 });
  removeFolder(path.join(folder, '.wherefore'));
  const found = { name, ...read(asked, cause) };
  const tick = (truth) => (truth ? 'yes' : '–');
  console.log(`| ${name} | ${tick(found.inChain)} | ${found.nProven ?? '–'} | ${tick(found.isProven)} | ${tick(found.leads)} | ${tick(found.either)} | ${found.runs ?? ''} | ${found.checks ?? ''} | ${found.seconds?.toFixed(1) ?? ''} | ${found.cost?.toFixed(2) ?? ''} | ${found.problem ?? ''} |`);
  if (options.verbose) for (const { point, text } of found.proven ?? []) console.log(`    ${point.file}:${point.line} ${text}`);
  return found;
}

function read({ stdout, stderr, status, signal }, cause) {
  let answer;
  try {
    answer = JSON.parse(stdout);
  } catch {
    return { problem: `exit ${status ?? signal}: ${(stderr ?? '').trim().split('\n').at(-1)}` };
  }
  const inChain = answer.chain.slice(0, 10).some((hop) => isNear(hop.point, cause));
  const { experiments } = answer;
  if (experiments === undefined) return { inChain, either: inChain, problem: answer.notes.at(-1) };
  const { proven, runs, checks, seconds, plain, median } = experiments;
  const isProven = proven.some(({ point }) => isNear(point, cause));
  const leads = isProven && proven.length <= SPECIFIC;
  return { inChain, proven, nProven: proven.length, isProven, leads, either: inChain || leads, runs, checks, seconds, cost: median && median / plain };
}

function isNear({ file, line } = {}, cause) {
  return typeof file === 'string' && (file === cause.file || file.endsWith(`/${cause.file}`)) && Math.abs(line - cause.line) <= NEAR;
}

function sum(rows, key) {
  return rows.reduce((all, r) => all + (r[key] ?? 0), 0);
}
