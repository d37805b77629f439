// node crowd.mjs [--wherefore BIN] [--cache DIR] [--only NAME] [--rounds N] [--no-overhead] [--unseen]
// The two tables of the paper about crash paths ("Feedback-Directed Instrumentation for Deployed JavaScript Applications", ICSE 2016):
// for each bug what it took to find the path (`crash-path --grow`), and what recording it costs a workload of the package, beside a
// full recording. The bugs of HELD_OUT were not looked at while the first rules were made; redis, qs, express and lru-cache were when the
// rule about copies was. With --unseen there is a table of other bugs, which count for no limit.
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
  rounds: { type: 'string', default: '5' },
  'no-overhead': { type: 'boolean' },
  unseen: { type: 'boolean' },
} });

// As far as a cause stands beside what did happen: a line that was left out was never executed.
const NEAR = 2;
const LIMITS = { functions: 0.1, crashes: 8, overhead: 1.3, causes: 8 };
const CASES = ['alasql-427', 'buckets-js-17', 'esprima-1201', 'immutable-318', 'immutable-419', 'lokijs-46', 'redis-732'];
const HELD_OUT = [
  ...['express-2550', 'lru-cache-41', 'qs-621'].map((name) => ['bugs', name]),
  ...['dependency-graph-33', 'heap-022', 'mnemonist-120'].map((name) => ['bugs-unseen', name]),
];

const isWanted = ([, name]) => !options.only || name.includes(options.only);
const known = CASES.map((name) => ['bugs', name]).filter(isWanted).map(row);
const heldOut = HELD_OUT.filter(isWanted).map(row);
table('case of the paper', known);
if (heldOut.length) table('held out', heldOut);
if (options.unseen) {
  const others = fs.readdirSync(path.join(here, 'bugs-unseen')).filter((name) => !HELD_OUT.some(([, held]) => held === name));
  table('unseen', others.map((name) => ['bugs-unseen', name]).filter(isWanted).map(row));
}
const rows = [...known, ...heldOut];
let isBroken = limits(rows);
if (!options['no-overhead']) isBroken = overheads(rows) || isBroken;
process.exit(isBroken ? 1 : 0);

function row([set, name]) {
  const folder = installed(set, name, options.cache);
  const { package: packageName, cause } = JSON.parse(fs.readFileSync(path.join(here, set, name, 'TRUTH.json'), 'utf8'));
  const asked = spawnSync(options.wherefore, ['crash-path', '--grow', '--format', 'json', '--', 'node', '--no-deprecation', 'repro.cjs'], { cwd: folder, encoding: 'utf8', timeout: 900_000, maxBuffer: 1 << 29 });
  removeFolder(path.join(folder, '.wherefore'));
  const base = { set, name, folder, packageName };
  let document;
  try {
    document = JSON.parse(asked.stdout);
  } catch {
    return { ...base, problem: `exit ${asked.status ?? asked.signal}: ${(asked.stderr ?? '').trim().split('\n').at(-1)}` };
  }
  const { answer, growth } = document;
  // Of the package, and the program that uses it: not what else it loads.
  const files = growth.files.filter(({ file }) => file.startsWith(`${packageName}/`) || !file.includes('/'));
  const sum = (key) => files.reduce((total, file) => total + file[key], 0);
  const counted = growth.runs.filter((run) => !run.not_counted);
  return {
    ...base,
    end: growth.end,
    crashes: counted.length,
    most: Math.max(...counted.map((run) => run.functions)),
    total: sum('functions'),
    functions: growth.files.reduce((total, file) => total + file.recorded, 0),
    labels: answer.labels,
    lines: answer.lines.flatMap(({ stretches }) => stretches).reduce((sum, [first, last]) => sum + last - first + 1, 0),
    onPath: answer.functions,
    hasCause: hasCause(answer, cause),
    policy: growth.policy,
  };
}

function* labels(steps) {
  for (const step of steps) {
    if (step.times === undefined) yield step;
    else yield* labels(step.body);
  }
}

// A label is about some lines; between two labels, control went over others, which the path tells as well.
function hasCause(answer, cause) {
  const isNear = (first, last) => first - NEAR <= cause.line && cause.line <= last + NEAR;
  const isThere = ({ label, point, end_line }) => label !== 'enter' && label !== 'exit' && point.file === cause.file && isNear(point.line, end_line ?? point.line);
  const went = answer.lines.filter(({ file }) => file === cause.file).flatMap(({ stretches }) => stretches);
  return [...labels(answer.path)].some(isThere) || went.some(([first, last]) => isNear(first, last));
}

function table(title, rows) {
  console.log(`| ${title} | crashes | complete | functions | share | most in a run | labels | lines | functions on it | cause on it | |`);
  console.log('|---|---|---|---|---|---|---|---|---|---|---|');
  for (const r of rows) {
    if (r.problem) console.log(`| ${r.name} | | | | | | | | | | ${r.problem} |`);
    else console.log(`| ${r.name} | ${r.crashes} | ${r.end} | ${r.functions} of ${r.total} | ${percent(r.functions / r.total)} | ${r.most} | ${r.labels} | ${r.lines} | ${r.onPath} | ${r.hasCause ? 'yes' : '–'} | |`);
  }
  console.log('');
}

function limits(rows) {
  const found = rows.filter((r) => !r.problem);
  const share = median(found.map((r) => r.functions / r.total));
  const crashes = Math.max(...found.map((r) => r.crashes));
  const shared = rows.filter((r) => r.set === 'bugs');
  const causes = shared.filter((r) => r.hasCause).length;
  const wanted = Math.min(LIMITS.causes, shared.length);
  const verdicts = [
    [`functions recorded, median: ${percent(share)} (limit ${percent(LIMITS.functions)})`, share <= LIMITS.functions],
    [`crashes, most: ${crashes} (limit ${LIMITS.crashes})`, crashes <= LIMITS.crashes],
    [`paths that are complete: ${found.filter((r) => r.end === 'complete').length} of ${rows.length} (limit ${rows.length})`, found.every((r) => r.end === 'complete') && found.length === rows.length],
    [`the cause is on the path in ${causes} of ${shared.length} (limit ${wanted})`, causes >= wanted],
  ];
  return told(verdicts);
}

function told(verdicts) {
  for (const [text, holds] of verdicts) console.log(`${text}${holds ? '' : ': **broken**'}`);
  console.log('');
  return verdicts.some(([, holds]) => !holds);
}

// CPU time of the workload alone, measured inside it; plain, grown and full in turn.
function overheads(rows) {
  console.log('| workload | plain ms | grown | full |');
  console.log('|---|---|---|---|');
  const grown = [];
  for (const r of rows) {
    const workload = path.join(here, 'crowd', `${r.packageName}.cjs`);
    if (r.problem || !fs.existsSync(workload)) continue;
    const times = { plain: [], grown: [], full: [] };
    for (const file of [workload, path.join(here, 'workloads/harness.cjs')]) fs.copyFileSync(file, path.join(r.folder, path.basename(file)));
    for (let round = 0; round < Number(options.rounds); round++) {
      times.plain.push(cpu(r, ['node']));
      times.grown.push(cpu(r, [options.wherefore, 'record', '--policy', r.policy, '--keep-last', '50MB', '--', 'node']));
      times.full.push(cpu(r, [options.wherefore, 'record', '--keep-last', '50MB', '--', 'node']));
    }
    const ratio = (key) => median(times[key].map((time, round) => time / times.plain[round]));
    grown.push(ratio('grown'));
    console.log(`| ${r.name} | ${median(times.plain).toFixed(0)} | ${ratio('grown').toFixed(2)} × | ${ratio('full').toFixed(2)} × |`);
  }
  console.log('');
  if (!grown.length) return false;
  const middle = median(grown);
  return told([[`overhead of the grown policy, median: ${middle.toFixed(2)} × (limit ${LIMITS.overhead} ×)`, middle <= LIMITS.overhead]]);
}

function cpu(r, command) {
  const result = path.join(r.folder, 'result.json');
  fs.rmSync(result, { force: true });
  const [program, ...args] = [...command, '--no-deprecation', `${r.packageName}.cjs`];
  const { status, stderr } = spawnSync(program, args, { cwd: r.folder, encoding: 'utf8', env: { ...process.env, BENCH_RESULT: result }, timeout: 600_000 });
  removeFolder(path.join(r.folder, '.wherefore'));
  if (status !== 0) throw new Error(`${r.name}: ${stderr.trim().split('\n').at(-1)}`);
  return JSON.parse(fs.readFileSync(result, 'utf8')).cpu_ms;
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}
