// node make.mjs [PACKAGE...] [--each N] [--until HH:MM]: seeds defects into published packages and keeps those that their own tests
// notice, in defects.json. The choice is by chance only, never by how well a defect is explained: the ranking is fitted on it.
//
// What was tried is remembered under the cache, so that a later run with a higher --each goes on where this one ended.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { copied, installed, installedShared } from './install.mjs';
import { mutations, parses, spliced } from './mutations.mjs';
import { packages } from './packages.mjs';
import { trials } from './trials.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
export const CACHE = path.join(here, '../../../target/bench/seeded');
const JOBS = 2;
const MOST_EACH = 60;
const MOST_TESTS = 12;
const LONGEST_TEST_SECONDS = 3;
// With Node and the framework there already.
const LONGEST_INSIDE_SECONDS = 1;
const MOST_TRIED_FOR_ONE = 5;

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();

async function main() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { each: { type: 'string', default: String(MOST_EACH) }, until: { type: 'string', default: '99:99' }, one: { type: 'boolean' } } });
  const chosen = positionals.length === 0 ? packages : positionals.map((wanted) => packages.find(({ name }) => name === wanted));
  const late = () => new Date().toISOString().slice(11, 16) >= values.until;
  if (values.one) {
    const kept = await defectsOf(chosen[0], Math.min(Number(values.each), MOST_EACH), late);
    console.log(`${chosen[0].name}: ${kept.length}`);
    return;
  }
  installedShared(CACHE);
  await inParallel(chosen, async ({ name }) => {
    if (!late()) await inProcess(name, values);
  });
  const all = assemble();
  console.log(`${all.length} defects in ${new Set(all.map((defect) => defect.package)).size} packages`);
}

// In a process of its own: an installation stops everything else in it.
function inProcess(name, { each, until }) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--one', name, '--each', each, '--until', until], { stdio: 'inherit' });
  return new Promise((resolve) => child.on('exit', resolve));
}

// Of all packages, from what each has under the cache; of one that was not seeded here, what is known of it.
function assemble() {
  const file = path.join(here, 'defects.json');
  const known = keptIn(file);
  const all = packages.flatMap(({ name }) => {
    const kept = keptIn(path.join(CACHE, name.replace('/', '+'), 'kept.json'));
    const before = known.filter((defect) => defect.package === name);
    return kept.length >= before.length ? kept : before;
  });
  fs.writeFileSync(file, `[\n${all.map((defect) => JSON.stringify(defect)).join(',\n')}\n]\n`);
  return all;
}

function keptIn(file) {
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : [];
}

async function defectsOf(entry, each, late) {
  const home = installed(entry, CACHE);
  const folder = path.join(home, 'work');
  copied(home, folder);
  const trial = trials(entry, folder);
  const tests = await plainTests(entry, home, trial);
  const file = path.join(home, 'kept.json');
  const already = keptIn(file).length;
  const kept = [];
  const queue = byKind(candidates(folder, tests, randomNumbers(hash(entry.name))));
  const known = remembered(path.join(home, 'tried.jsonl'));
  for (let tried = 0; kept.length < each && tried < 25 + kept.length * MOST_TRIED_FOR_ONE && !late(); tried++) {
    const candidate = next(queue, kept);
    if (candidate === undefined) break;
    const test = await known(candidate, () => failingTest(folder, tests, trial, candidate));
    if (test === null) continue;
    kept.push({ package: entry.name, file: candidate.file, start: candidate.start, end: candidate.end, replacement: candidate.text, kind: candidate.kind, line: candidate.line, test });
    if (kept.length > already) fs.writeFileSync(file, JSON.stringify(kept));
  }
  trial.end();
  fs.rmSync(folder, { recursive: true, force: true });
  return kept;
}

// The test files that pass as published and execute code of the package; the short ones first.
async function plainTests(entry, home, trial) {
  const files = new Set(entry.tests.flatMap((pattern) => matching(path.join(home, 'package'), pattern)));
  const tests = [];
  for (const [tried, file] of shuffled([...files], randomNumbers(1)).entries()) {
    if (tests.length === MOST_TESTS || (tests.length === 0 && tried === MOST_TESTS)) break;
    const test = await trial.plain(file, LONGEST_TEST_SECONDS);
    if (test !== undefined && [...test.files.keys()].some(isOwnSource)) tests.push(test);
  }
  if (tests.length === 0) throw new Error(`${entry.name}: no test file passes as published`);
  return tests.sort((a, b) => a.seconds - b.seconds);
}

// Everything that could be broken in the package's own executed code.
function candidates(folder, tests, random) {
  const files = [...new Set(tests.flatMap(({ files }) => [...files.keys()]))].filter(isOwnSource).sort();
  return files.flatMap((file) => {
    const source = fs.readFileSync(path.join(folder, file), 'utf8');
    if (isPacked(source) || !parses(source)) return [];
    return mutations(source, random)
      .filter(({ start }) => tests.some((test) => test.files.get(file)?.[start]))
      .map((mutation) => ({ ...mutation, file, line: source.slice(0, mutation.start).split('\n').length, chance: random() }));
  });
}

function isOwnSource(file) {
  return /\.[cm]?js$/.test(file) && !/(^|\/)(tests?|spec|specs|__tests__|fixtures?|bench(mark)?s?|examples?|mocha|support|helpers?-test|vendor)(\/|\.[cm]?js$)|[-._](test|spec)s?\.[cm]?js$/.test(file);
}

// Minified: nobody debugs it.
function isPacked(source) {
  return source.length / source.split('\n').length > 200 || source.length > 600_000;
}

// The shortest test file that fails; null if none does, if more than half of them do, or if the file cannot even be loaded.
async function failingTest(folder, tests, trial, candidate) {
  const at = path.join(folder, candidate.file);
  const source = fs.readFileSync(at, 'utf8');
  const broken = spliced(source, candidate);
  if (!parses(broken)) return null;
  fs.writeFileSync(at, broken);
  let failing;
  try {
    failing = await noticing(tests, trial, candidate);
    if (failing === undefined || (failing.passed === 0 && !(await trial.loads(candidate.file)))) return null;
  } finally {
    fs.writeFileSync(at, source);
  }
  return (await passesAsPublished(failing.test, trial)) ? failing.test.file : null;
}

async function noticing(tests, trial, { file, start }) {
  const reached = tests.filter((test) => !test.unfit && test.files.get(file)?.[start]);
  const most = Math.max(1, Math.floor(tests.length / 2));
  const failing = [];
  for (const [i, test] of reached.entries()) {
    const outcome = await trial.outcome(test, test.inside === undefined ? LONGEST_TEST_SECONDS : LONGEST_INSIDE_SECONDS);
    if (outcome === undefined) return undefined;
    if (outcome.failed) failing.push({ test, passed: outcome.passed });
    if (failing.length > most) return undefined;
    if (failing.length > 0 && failing.length + reached.length - i - 1 <= most) break;
  }
  // Of one test file alone: most of its tests still pass.
  return tests.length === 1 && failing.length === 1 && failing[0].passed * 2 < tests[0].passed ? undefined : failing[0];
}

// What failed did so because of the defect, not because of what an earlier test left behind; and it would not fail by itself.
async function passesAsPublished(test, trial) {
  if (test.inside === undefined) return true;
  const again = await trial.outcome(test, LONGEST_TEST_SECONDS);
  if (again?.failed !== false) {
    trial.end();
    return false;
  }
  test.vetted ??= (await trial.byItself(test, LONGEST_TEST_SECONDS))?.failed === false;
  test.unfit = !test.vetted;
  return test.vetted;
}

function byKind(all) {
  const kinds = new Map();
  for (const candidate of all.sort((a, b) => a.chance - b.chance)) kinds.set(candidate.kind, [...(kinds.get(candidate.kind) ?? []), candidate]);
  return kinds;
}

// Of the kind of which there are fewest so far, on a line of which there is none yet.
function next(queue, kept) {
  const count = (kind) => kept.filter((defect) => defect.kind === kind).length;
  const asked = [...queue].filter(([, list]) => list.length > 0).sort(([a, x], [b, y]) => count(a) - count(b) || x[0].chance - y[0].chance);
  for (const [, list] of asked) {
    while (list.length > 0) {
      const candidate = list.shift();
      if (!kept.some(({ file, line }) => file === candidate.file && line === candidate.line)) return candidate;
    }
  }
  return undefined;
}

function remembered(file) {
  const key = ({ file, start, end, text, kind }) => JSON.stringify([file, start, end, text, kind]);
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n').filter(Boolean) : [];
  const known = new Map(lines.map((line) => JSON.parse(line)));
  return async (candidate, tried) => {
    if (!known.has(key(candidate))) {
      known.set(key(candidate), await tried());
      fs.appendFileSync(file, `${JSON.stringify([key(candidate), known.get(key(candidate))])}\n`);
    }
    return known.get(key(candidate));
  };
}

// `*` stands for a part of a name, `**` for folders.
function matching(folder, pattern) {
  const form = new RegExp(`^${pattern.replace(/[.+]/g, '\\$&').replace(/\*\*\/|\*/g, (star) => (star === '*' ? '[^/]*' : '(.*/)?'))}$`);
  return fs.readdirSync(folder, { recursive: true }).filter((file) => form.test(file)).sort();
}

async function inParallel(list, work) {
  const waiting = [...list];
  await Promise.all(Array.from({ length: JOBS }, async () => { while (waiting.length > 0) await work(waiting.shift()); }));
}

function shuffled(list, random) {
  return list.map((item) => ({ item, chance: random() })).sort((a, b) => a.chance - b.chance).map(({ item }) => item);
}

function hash(text) {
  return [...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.codePointAt(0)) | 0, 7);
}

function randomNumbers(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
