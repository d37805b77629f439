// node first-minute.mjs [--wherefore BIN] [--cache DIR] [--only NAME,NAME] [--sample] [--rounds N] [--trees DIR] [--verbose]
// `wherefore why -- COMMAND` on ordinary projects, as people start their tests. Each project has two tests and one planted bug. For each:
// whether `why` starts at the failing assertion and names the cause, which share of the events lies in files that are neither the project's
// nor asked for by it, and the wall time of the whole command beside the plain one: the first time, with our caches empty, and later.
// `--trees` measures whole suites of projects instead, which somebody prepared: README.md says how.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../tests/shared/recorded.mjs';
import { INSTALLS, SETUPS } from './first-minute/setups.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../target/release/wherefore') },
  cache: { type: 'string', default: path.join(here, '../target/bench') },
  nodes: { type: 'string', default: path.join(here, '../tests/nodes/node_modules') },
  rounds: { type: 'string', default: '3' },
  only: { type: 'string' },
  sample: { type: 'boolean' },
  trees: { type: 'string' },
  verbose: { type: 'boolean' },
} });

// What a person waits: at the median and at worst, and in seconds more where the plain command is short.
const MEDIAN = 1.5;
const WORST = 2;
const SHORT = 1.5;
const MORE = 0.75;
const OF_TOOLS = 0.01;
// Of suites that take ten seconds or more.
const OF_SUITES = 3;
// They stand for the others in the tests.
const SAMPLE = ['ts-jest', 'mocha with ts-node', 'vitest', 'npm in npm'];

const home = path.resolve(options.cache, 'first-minute');
// Package managers keep what they fetch beside what we keep, and only ours is emptied.
const CACHES = path.join(home, 'caches');
const only = options.sample ? SAMPLE : options.only?.split(',');
if (options.trees) process.exit(measureSuites(options.trees) ? 0 : 1);
const rows = SETUPS.filter((setup) => !only || only.includes(setup.name)).map((setup) => ({ name: setup.name, ...measured(setup) }));
print(rows);
process.exit(rows.every((row) => row.isGood) ? 0 : 1);

// Each folder is a project, and a command of it takes ten seconds or more. Gives whether all keep their limit.
function measureSuites(trees) {
  const commands = JSON.parse(fs.readFileSync(path.join(trees, 'commands.json'), 'utf8'));
  console.log('| project | command | plain | first | × | later | × | events of the program | of libraries | of tools | starts at | failed tests |');
  console.log('|---|---|---|---|---|---|---|---|---|---|---|---|');
  const suites = Object.entries(commands).filter(([name]) => !only || only.includes(name));
  return suites.map(([name, command]) => measuredSuite(name, path.join(trees, name), command)).every(Boolean);
}

function measuredSuite(name, folder, command) {
  const { times, first } = timed(command, folder, environment({}));
  const ask = asking(folder);
  const events = { program: 0, libraries: 0, tools: 0 };
  for (const source of all(ask, 'sources')) events[source.tool ? 'tools' : source.package ? 'libraries' : 'program'] += source.events;
  const start = json(first.stdout)?.chain?.[0]?.point;
  const failures = ask('failures')?.answer?.failures ?? [];
  const isQuick = times.first <= OF_SUITES * times.plain;
  const cells = [
    name, `\`${command.join(' ')}\``, `${times.plain.toFixed(1)} s`, bold(isQuick, `${times.first.toFixed(1)} s`), (times.first / times.plain).toFixed(2),
    `${times.later.toFixed(1)} s`, (times.later / times.plain).toFixed(2), ...Object.values(events).map((n) => n.toLocaleString('en')),
    start ? `${start.file}:${start.line}` : '–', failures.length,
  ];
  console.log(`| ${cells.join(' | ')} |`);
  removeFolder(path.join(folder, '.wherefore'));
  return isQuick;
}

function measured(setup) {
  const folder = path.join(home, setup.install, setup.name.replace(/\W+/g, '-'));
  const problem = prepare(setup, folder);
  if (problem !== undefined) return { skipped: problem, isGood: setup.mayLack === true };
  const { times, first, plain } = timed(setup.command, folder, environment(setup));
  if (!plain.printed.includes(setup.title)) return { skipped: `the plain command prints no failed test: ${plain.printed.trim().split('\n').at(-1)}`, isGood: false };
  const facts = looked(setup, folder, first);
  const isQuick = times.plain < SHORT ? times.first - times.plain <= MORE : times.first <= WORST * times.plain;
  if (options.verbose) console.error(setup.name, JSON.stringify({ ...times, ...facts, status: first.status, plainStatus: plain.status }));
  removeFolder(path.join(folder, '.wherefore'));
  return { ...times, ...facts, isQuick, isGood: isQuick && facts.isRight && facts.isListed && facts.hop <= 10 && facts.share <= OF_TOOLS };
}

// Seconds of the plain command, of the first `why` of it with our caches empty, and of later ones.
function timed(command, folder, env) {
  const plain = [];
  const later = [];
  run(command, folder, env);
  const why = () => run([options.wherefore, 'why', '--format', 'json', '--', ...command], folder, env);
  removeFolder(path.join(CACHES, 'wherefore'));
  const first = why();
  for (let round = 0; round < Number(options.rounds); round++) {
    plain.push(run(command, folder, env));
    later.push(why());
  }
  return { times: { plain: median(plain), first: first.seconds, later: median(later) }, first, plain: plain[0] };
}

function run([command, ...args], cwd, env) {
  const started = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8', timeout: 600_000, maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });
  return { seconds: Number(process.hrtime.bigint() - started) / 1e9, status, stdout: stdout ?? '', printed: `${stdout}${stderr}` };
}

function environment({ env = {}, node }) {
  const plain = { ...process.env, XDG_CACHE_HOME: CACHES, NO_COLOR: '1', FORCE_COLOR: '0', CI: '1', ...env };
  delete plain.NODE_ENV;
  if (node !== undefined) plain.PATH = `${path.dirname(nodeOf(node))}:${plain.PATH}`;
  return plain;
}

function nodeOf(name) {
  return path.join(options.nodes, `${name}-${process.arch}/bin/node`);
}

// Why it cannot be tried on this machine, if it cannot.
function prepare(setup, folder) {
  const needed = setup.node ?? setup.needs;
  if (needed !== undefined && !fs.existsSync(nodeOf(needed))) return `tests/nodes has no ${needed}`;
  install(setup.install);
  removeFolder(folder);
  for (const [name, text] of Object.entries(setup.files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text.replaceAll('NODE24', nodeOf('node24')), { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
  // A project is a repository of its own: tools look for its root, and for what git ignores there.
  for (const [command, ...args] of [['git', 'init', '--quiet'], ...(setup.prepare ?? [])]) {
    const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 300_000, env: { ...environment(setup), CI: '' } });
    if (status !== 0) return `${command} ${args.join(' ')}: ${(error?.message ?? `${stdout}${stderr}`).trim().split('\n').at(-1)}`;
  }
  return undefined;
}

// Projects find their packages in the folder above.
function install(name) {
  const folder = path.join(home, name);
  const wanted = JSON.stringify({ private: true, dependencies: INSTALLS[name] });
  const known = path.join(folder, 'package.json');
  if (fs.existsSync(known) && fs.readFileSync(known, 'utf8') === wanted) return;
  fs.mkdirSync(folder, { recursive: true });
  fs.rmSync(known, { force: true });
  fs.writeFileSync(path.join(folder, 'package.json'), wanted);
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', '--legacy-peer-deps', '--loglevel=error'], { cwd: folder, stdio: 'inherit' });
  if (status === 0) return;
  fs.rmSync(known);
  throw new Error(`npm install of ${name} failed`);
}

// What the recording of the first command shows.
function looked(setup, folder, first) {
  const ask = asking(folder);
  const files = all(ask, 'sources');
  const isOfTool = (file) => file.includes('node_modules/') && !(setup.libraries ?? []).some((library) => file.includes(`node_modules/${library}/`));
  const ofTools = files.filter(({ file }) => isOfTool(file));
  const tools = ofTools.map(({ file }) => file);
  const inTools = ofTools.reduce((sum, { events }) => sum + events, 0);
  const events = ask('runs')?.at(-1)?.events ?? 0;
  const chain = json(first.stdout)?.chain ?? [];
  const at = ({ file, text }) => ({ file, line: lineOf(folder, file, text) });
  const [assertion, cause] = [at(setup.failure), at(setup.cause)];
  const isIt = (point, { file, line }) => point?.file?.endsWith(file) && point.line === line;
  const hop = chain.findIndex((hop) => [hop, ...(hop.with ?? [])].some(({ point }) => isIt(point, cause)));
  const failures = ask('failures')?.answer?.failures ?? [];
  // Each test that failed, once: there is one.
  const isListed = setup.isUntold || (failures.length === 1 && failures[0].test?.title.includes(setup.title) === true);
  return {
    isRight: isIt(chain[0]?.point, assertion), start: chain[0] && `${chain[0].point.file}:${chain[0].point.line}`, isListed,
    hop: hop < 0 ? Infinity : hop + 1, events,
    share: events === 0 ? 0 : inTools / events, tools, titles: failures.map(({ test }) => test?.title).filter(Boolean),
  };
}

function asking(folder) {
  return (...args) => json(spawnSync(options.wherefore, [...args, '--format', 'json'], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 }).stdout);
}

// The items of all pages of an answer.
function all(ask, question) {
  const items = [];
  for (let from = []; ;) {
    const page = ask(question, ...from)?.answer;
    items.push(...(page?.sources ?? page?.items ?? []));
    if (page?.next === undefined || page.next === null) return items;
    from = ['--from', page.next];
  }
}

function lineOf(folder, file, text) {
  const lines = fs.readFileSync(path.join(folder, file), 'utf8').split('\n');
  return lines.findIndex((line) => line.includes(text)) + 1;
}

function json(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function bold(isGood, text) {
  return isGood ? `${text}` : `**${text}**`;
}

function median(all) {
  const seconds = all.map(({ seconds }) => seconds).sort((a, b) => a - b);
  return seconds[seconds.length >> 1];
}

function print(rows) {
  console.log('| set-up | plain | first | × | later | × | events | in tools | starts right | hop of the cause | failed tests |');
  console.log('|---|---|---|---|---|---|---|---|---|---|---|');
  for (const r of rows) {
    if (r.skipped !== undefined) {
      console.log(`| ${r.name} | not tried: ${r.skipped} |`);
      continue;
    }
    const cells = [
      r.name, `${r.plain.toFixed(2)} s`, bold(r.isQuick, `${r.first.toFixed(2)} s`), (r.first / r.plain).toFixed(2),
      `${r.later.toFixed(2)} s`, (r.later / r.plain).toFixed(2), r.events, bold(r.share <= OF_TOOLS, `${(100 * r.share).toFixed(1)} %`),
      bold(r.isRight, r.isRight ? 'yes' : r.start ?? 'nowhere'), bold(r.hop <= 10, r.hop === Infinity ? '–' : r.hop), bold(r.isListed, r.titles.join(', ') || '–'),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  for (const r of rows.filter((row) => row.tools?.length > 0)) console.log(`${r.name}: of tools ${r.tools.join(', ')}`);
  const tried = rows.filter((row) => row.skipped === undefined);
  if (tried.length === 0) return;
  const ratios = tried.map(({ first, plain }) => first / plain).sort((a, b) => a - b);
  const middle = ratios[ratios.length >> 1];
  const n = (test) => tried.filter(test).length;
  console.log(`\n${tried.length} set-ups: first run ${bold(middle <= MEDIAN, `${middle.toFixed(2)} ×`)} at the median (limit ${MEDIAN}), ${ratios.at(-1).toFixed(2)} × at worst`
    + ` (limit ${WORST}, or ${MORE} s more where the plain command takes less than ${SHORT} s: ${n((row) => row.isQuick)} keep it);`
    + ` starts right ${n((row) => row.isRight)}, cause within ten ${n((row) => row.hop <= 10)}, at most 1 % in tools ${n((row) => row.share <= OF_TOOLS)}`);
}
