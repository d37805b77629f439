// node runners.mjs [--wherefore BIN] [--cache DIR] [--only NAME,NAME] [--sample] [--verbose]
// Small projects under many test runners, each with one planted cause: where `wherefore why` says that the failure starts, how far down
// the cause is, and whether a hop comes after the failure. Those of runners/held-out and runners/held-out-2 are reported apart: no rule was written by them.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../tests/shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../target/release/wherefore') },
  cache: { type: 'string', default: path.join(here, '../target/bench') },
  only: { type: 'string' },
  sample: { type: 'boolean' },
  verbose: { type: 'boolean' },
} });
// What is missing is missing beside a line.
const NEAR = 1;
// Two that take little time and stand for the others.
const SAMPLE = ['mocha-chai', 'node-test'];
const home = path.join(options.cache, 'runners');
const only = options.sample ? SAMPLE : options.only?.split(',');

install();
const isGood = [report('runners', '.'), report('held out', 'held-out'), report('held out 2', 'held-out-2')].every(Boolean);
process.exit(isGood ? 0 : 1);

// All projects find their packages in the folder above.
function install() {
  fs.mkdirSync(home, { recursive: true });
  const wanted = fs.readFileSync(path.join(here, 'runners/package.json'), 'utf8');
  const known = path.join(home, 'package.json');
  const mark = path.join(home, 'node_modules/.package-lock.json');
  if (fs.existsSync(mark) && fs.existsSync(known) && fs.readFileSync(known, 'utf8') === wanted) return;
  fs.writeFileSync(known, wanted);
  const { status } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--legacy-peer-deps', '--loglevel=error'], { cwd: home, stdio: 'inherit' });
  if (status !== 0) throw new Error('npm install of the runners failed');
}

function report(title, set) {
  const folder = path.join(here, 'runners', set);
  const names = fs.readdirSync(folder).filter((name) => fs.existsSync(path.join(folder, name, 'PLANT.json')));
  const rows = names.sort().filter((name) => !only || only.includes(name)).map((name) => {
    const result = measured(path.join(folder, name), path.join(home, set, name));
    if (options.verbose) console.error(`${name}: ${JSON.stringify(result)}`);
    return { name, ...result };
  });
  if (rows.length === 0) return true;
  console.log(`| ${title} | planted | the failure starts at | right | hop of the cause | after the failure | seconds | |`);
  console.log('|---|---|---|---|---|---|---|---|');
  for (const r of rows) console.log(`| ${r.name} | ${r.kind} | ${r.start ?? '–'} | ${bold(r.isRight, r.isRight ? 'yes' : 'no')} | ${bold(r.hop <= 10, r.hop ?? '–')} | ${bold(r.n_after === 0, r.n_after ?? '–')} | ${r.seconds.toFixed(1)} | ${r.problem ?? ''} |`);
  const n_right = rows.filter((r) => r.isRight).length;
  const n_found = rows.filter((r) => r.hop <= 10).length;
  const n_after = rows.reduce((sum, r) => sum + (r.n_after ?? 0), 0);
  const limit = Math.ceil(rows.length * 0.9);
  const limits = [[n_right === rows.length, `starts right: ${n_right} of ${rows.length} (limit: all)`],
    [n_found >= limit, `cause within ten hops: ${n_found} of ${rows.length} (limit ${limit})`],
    [n_after === 0, `hops after the failure: ${n_after} (limit 0)`]];
  console.log(`\n${limits.map(([isKept, text]) => bold(isKept, text)).join('; ')}\n`);
  return limits.every(([isKept]) => isKept);
}

function bold(isGood, text) {
  return isGood ? `${text}` : `**${text}**`;
}

function measured(source, folder) {
  removeFolder(folder);
  fs.cpSync(source, folder, { recursive: true });
  const { command, drive, failure, cause, kind } = JSON.parse(fs.readFileSync(path.join(folder, 'PLANT.json'), 'utf8'));
  const ask = (...more) => spawnSync(options.wherefore, ['why', '--format', 'json', ...more], {
    cwd: folder, encoding: 'utf8', timeout: 600_000, maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', CI: '1', NODE_ENV: undefined },
  });
  const started = process.hrtime.bigint();
  const asked = ask(...(drive ? ['--drive', drive] : []), '--', ...command);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  const chain = hops(asked);
  if (!chain?.length) return { kind, seconds, isRight: false, problem: chain ? 'the chain is empty' : problemOf(asked) };
  const whole = hops(ask('--all')) ?? [];
  if (!options.verbose) removeFolder(path.join(folder, '.wherefore'));
  const at = where(folder, failure);
  const [first] = chain;
  const isSame = first.file?.endsWith(failure.file) && first.line === at;
  const line = where(folder, cause);
  return {
    kind, seconds, start: `${first.file}:${first.line}`, isRight: isSame, problem: isSame ? undefined : `it is ${failure.file}:${at}`,
    hop: position(chain, cause.file, line) ?? position(whole, cause.file, line, chain.length),
    n_after: chain.filter((hop) => hop.thread === first.thread && hop.event > first.event).length,
  };
}

// The points of the hops of an answer, each with those that are told inside it; nothing if it is none.
function hops({ stdout }) {
  try {
    const { answer, chain = answer.chain } = JSON.parse(stdout);
    return chain.map((hop) => ({ ...hop.point, inside: (hop.with ?? []).map((part) => part.point) }));
  } catch {
    return undefined;
  }
}

function problemOf({ status, signal, stdout, stderr }) {
  let said;
  try {
    said = JSON.parse(stdout).answer.text;
  } catch {
    said = (stderr ?? '').trim().split('\n').at(-1);
  }
  return `exit ${status ?? signal}: ${said}`;
}

// The line of a file that is this text.
function where(folder, { file, text, nth = 1 }) {
  const lines = fs.readFileSync(path.join(folder, file), 'utf8').split('\n');
  const found = lines.flatMap((line, index) => (line.trim() === text ? [index + 1] : []));
  if (found.length < nth) throw new Error(`${folder}: ${file} has no line ${text}`);
  return found[nth - 1];
}

// From 1; what the chain as it is shown did not name comes behind it.
function position(points, file, line, shown = 0) {
  const isIt = (point) => point.file?.endsWith(file) && Math.abs(point.line - line) <= NEAR;
  const at = points.findIndex((point) => isIt(point) || point.inside.some(isIt));
  return at < 0 ? undefined : Math.max(at, shown) + 1;
}
