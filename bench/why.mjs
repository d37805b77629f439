// node why.mjs [--wherefore BIN] [--cache DIR] [--only NAME] [--bugs] [--unseen] [--mutants] [--verbose]
// Whether `wherefore why` names the line of the cause (give or take 2), on the ten real bugs of bugs/, on those of bugs-unseen/ and
// on the seeded ones of why/, and how far down its chain.
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
  mutants: { type: 'boolean' },
  verbose: { type: 'boolean' },
} });
const WANTED = 9;
const NEAR = 2;
const isWanted = (name) => !options.only || name.includes(options.only);
const everything = !options.bugs && !options.unseen && !options.mutants;
let broken = false;
if (everything || options.bugs) broken = bugs() || broken;
if (everything || options.unseen) table('unseen bug', realBugs('bugs-unseen'));
if (everything || options.mutants) mutants();
process.exit(broken ? 1 : 0);

function bugs() {
  const rows = realBugs('bugs');
  table('real bug', rows);
  const [, ten] = sums(rows);
  const isBroken = ten < Math.min(WANTED, rows.length);
  console.log(`the cause is within ten hops in ${ten} of ${rows.length} (limit ${Math.min(WANTED, rows.length)})${isBroken ? ': **broken**' : ''}\n`);
  return isBroken;
}

function realBugs(set) {
  return fs.readdirSync(path.join(here, set)).filter(isWanted).sort().map((name) => {
    const { cause } = JSON.parse(fs.readFileSync(path.join(here, set, name, 'TRUTH.json'), 'utf8'));
    return row(name, installed(set, name, options.cache), ['node', '--no-deprecation', 'repro.cjs'], cause);
  });
}

function table(title, rows) {
  console.log(`| ${title} | hop | within 5 | within 10 | within 20 | in the stack trace | seconds | |`);
  console.log('|---|---|---|---|---|---|---|---|');
  for (const r of rows) console.log(`| ${r.name} | ${r.hop ?? '–'} | ${[5, 10, 20].map((n) => tick(r.hop <= n)).join(' | ')} | ${tick(r.isInStack)} | ${r.seconds.toFixed(1)} | ${r.problem ?? ''} |`);
  const [five, ten, stack, twenty] = sums(rows);
  console.log(`| **${rows.length} bugs** | | **${five}** | **${ten}** | **${twenty}** | **${stack}** | | |\n`);
}

// Nothing was ever tuned on these.
function mutants() {
  const rows = [];
  const all = JSON.parse(fs.readFileSync(path.join(here, 'why/mutants.json'), 'utf8'));
  for (const { program, line, kind, text } of all) {
    const name = `${program.replace('.cjs', '')}-${line}`;
    if (!isWanted(name)) continue;
    const folder = path.join(options.cache, 'mutants', name);
    fs.mkdirSync(folder, { recursive: true });
    const lines = fs.readFileSync(path.join(here, 'why/programs', program), 'utf8').split('\n');
    lines[line - 1] = text;
    fs.writeFileSync(path.join(folder, program), lines.join('\n'));
    rows.push({ kind, ...row(name, folder, ['node', program], { file: program, line }) });
  }
  console.log('| seeded defects | | within 5 | within 10 | within 20 | in the stack trace |');
  console.log('|---|---|---|---|---|---|');
  for (const kind of [...new Set(rows.map((r) => r.kind))].sort()) summary(kind, rows.filter((r) => r.kind === kind));
  summary('**all**', rows);
  const failed = rows.filter((r) => r.problem);
  if (failed.length) console.log(`\n${failed.length} without an answer, e.g. ${failed[0].name}: ${failed[0].problem}`);
  if (options.verbose) for (const r of rows) console.log(`${r.name} ${r.kind}: ${r.hop ?? 'missed'}`);
}

function summary(kind, rows) {
  const [five, ten, stack, twenty] = sums(rows);
  console.log(`| ${kind} | ${rows.length} | ${five} | ${ten} | ${twenty} | ${stack} |`);
}

function sums(rows) {
  const within = (n) => rows.filter((r) => r.hop <= n).length;
  return [within(5), within(10), rows.filter((r) => r.isInStack).length, within(20)];
}

function row(name, folder, command, cause) {
  const plain = spawnSync(command[0], command.slice(1), { cwd: folder, encoding: 'utf8', timeout: 60_000 });
  const isInStack = stackLines(plain.stderr).some((point) => isNear(point, cause));
  const started = process.hrtime.bigint();
  const asked = spawnSync(options.wherefore, ['why', '--format', 'json', '--', ...command], { cwd: folder, encoding: 'utf8', timeout: 300_000, maxBuffer: 1 << 28 });
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  // Beyond what is shown by default.
  const all = spawnSync(options.wherefore, ['why', '--all', '--format', 'json'], { cwd: folder, encoding: 'utf8', timeout: 300_000, maxBuffer: 1 << 28 });
  removeFolder(path.join(folder, '.wherefore'));
  const [chain, whole] = [points(asked), points(all)];
  if (!chain?.length) return { name, isInStack, seconds, problem: chain ? 'the chain is empty' : `exit ${asked.status ?? asked.signal}: ${(asked.stderr ?? '').trim().split('\n').at(-1)}` };
  return { name, isInStack, seconds, hop: position(chain, cause) ?? position(whole ?? [], cause, chain.length) };
}

// Where the hops of an answer are; nothing if it is none.
function points({ stdout }) {
  try {
    const { answer, chain = answer.chain } = JSON.parse(stdout);
    return chain.map((hop) => ({ ...hop.point, inside: (hop.with ?? []).map((part) => part.point) }));
  } catch {
    return undefined;
  }
}

// From 1; what the chain as it is shown did not name comes behind it.
function position(points, cause, shown = 0) {
  const at = points.findIndex((point) => isNear(point, cause) || point.inside.some((part) => isNear(part, cause)));
  return at < 0 ? undefined : Math.max(at, shown) + 1;
}

function isNear({ file, line }, cause) {
  return typeof file === 'string' && (file === cause.file || file.endsWith(`/${cause.file}`)) && Math.abs(line - cause.line) <= NEAR;
}

function stackLines(stderr) {
  return [...stderr.matchAll(/(?:\(|at |^)(?:file:\/\/)?(\/[^\s():]+):(\d+)(?::\d+)?/gm)].map(([, file, line]) => ({ file, line: Number(line) }));
}

function tick(truth) {
  return truth ? 'yes' : '–';
}
