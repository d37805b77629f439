// node judge/run.mjs [--wherefore BIN] [--only NAME] [--strategy NAME] [--asking tables|singly]
//                    [--programs] [--mutants] [--held] [--unseen] [--example] [--large] [--verbose]
// The paper's experiment: how many questions `wherefore judge` asks until it names the call with a seeded defect. Then its example of
// merge sort, and how long the next question takes in a call tree of eleven million nodes.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { measureLarge } from './large.mjs';
import { correctProgram, failure, plant } from './mutant.mjs';
import { forEachAtOnce } from './process.mjs';
import { judge, record } from './session.mjs';
import { average, printTable } from './table.mjs';
import { removeFolder } from '../../tests/shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../../target/release/wherefore') },
  only: { type: 'string' },
  strategy: { type: 'string', multiple: true },
  asking: { type: 'string', multiple: true },
  programs: { type: 'boolean' },
  mutants: { type: 'boolean' },
  held: { type: 'boolean' },
  unseen: { type: 'boolean' },
  example: { type: 'boolean' },
  large: { type: 'boolean' },
  verbose: { type: 'boolean' },
} });
const wherefore = path.resolve(options.wherefore);
const OURS = 'slice';
const STRATEGIES = options.strategy ?? ['top-down', 'divide', 'def-use', 'edges', OURS];
/** With tables, where many calls of a function are one question; and each call by itself, as in the paper. */
const ASKING = { tables: [], singly: ['--singly'] };
const ASKED = options.asking ?? Object.keys(ASKING);
/** Every way to hold a dialogue. */
const WAYS = STRATEGIES.flatMap((strategy) => ASKED.map((asking) => ({ strategy, asking, name: asking === 'tables' ? `${strategy}+t` : strategy })));
/** What the paper's strategies needed there, and what they and ours may need here. */
const TARGETS = { 'top-down': { paper: 12.84 }, divide: { paper: 10 }, 'def-use': { paper: 8.25 }, edges: { paper: 7.66, most: 7.7 }, [OURS]: { most: 5 }, [`${OURS}+t`]: { most: 5 } };
/** On programs that nobody looked at: a table is one question. */
const UNSEEN_TARGETS = { [`${OURS}+t`]: { most: 8 } };

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'judge-'));
const sets = ['programs', 'mutants', 'held', 'unseen', 'example', 'large'];
const isWanted = (set) => options[set] || !sets.some((other) => options[other]);
const broken = [];
try {
  if (isWanted('programs')) await experiment('programs', 'programs', TARGETS);
  if (isWanted('mutants')) await experiment('mutants', 'mutants, those that were looked at', {}, (defect) => !defect.held);
  if (isWanted('held')) await experiment('mutants', 'mutants, held out', UNSEEN_TARGETS, (defect) => defect.held);
  if (isWanted('unseen')) await experiment('unseen', 'unseen', UNSEEN_TARGETS);
  if (isWanted('example') && !options.only) await example();
  if (isWanted('large') && !options.only) broken.push(...await measureLarge(wherefore, folder, STRATEGIES, OURS));
} finally {
  removeFolder(folder);
}
for (const limit of broken) console.log(`**broken**: ${limit}`);
process.exit(broken.length > 0 ? 1 : 0);

/** The defects of a set of programs, in all ways. */
async function experiment(set, title, targets, isChosen = () => true) {
  const programs = JSON.parse(fs.readFileSync(path.join(here, set, 'programs.json'), 'utf8'));
  const defects = JSON.parse(fs.readFileSync(path.join(here, set, 'defects.json'), 'utf8'))
    .filter((defect) => isChosen(defect) && (!options.only || `${defect.program} ${defect.function}`.includes(options.only)));
  if (defects.length === 0) return;
  const cases = await forEachAtOnce(defects, os.availableParallelism(), (defect, i) => oneCase(set, defect, programs[defect.program].trusted, i));
  const groups = Object.entries(programs)
    .map(([program, { title: name }]) => [name, cases.filter((one) => one.program === program)])
    .filter(([, ofProgram]) => ofProgram.length > 0);
  console.log(`\n${cases.length} seeded defects of bench/judge/${title}: questions until the wrong call is named (+t: a table is one question)\n`);
  printTable(groups, WAYS.map((way) => way.name));
  console.log();
  const wrong = cases.flatMap((one) => one.wrong);
  broken.push(...wrong);
  console.log(`the named call holds the defect in ${cases.length * WAYS.length - wrong.length} of ${cases.length * WAYS.length} sessions`);
  for (const { name, asking } of WAYS) {
    const { paper, most } = targets[name] ?? {};
    const answers = average(cases.map((one) => one.answers[name]));
    const judged = average(cases.map((one) => one.judged[name]));
    const rows = asking === 'tables' && `${judged.toFixed(2)} calls judged, ${average(cases.map((one) => one.tables[name])).toFixed(2)} tables`;
    const notes = [rows, paper && `the paper: ${paper}`, most && `limit ${most}`].filter(Boolean).join(', ');
    console.log(`${name.padEnd(10)} ${answers.toFixed(2).padStart(6)}${notes && `   (${notes})`}`);
    if (most && !options.only && answers > most) broken.push(`${title}: ${name} asks ${answers.toFixed(2)} questions, limit ${most}`);
  }
}

async function oneCase(set, defect, trusted, number) {
  const cwd = path.join(folder, set, defect.held ? 'held' : 'seen', String(number));
  const file = plant(set, defect, cwd);
  const title = `${defect.program}.cjs:${defect.line} ${defect.to}`;
  const wrongAt = await failure(set, defect.program, file);
  if (!wrongAt) throw new Error(`${title}: the defect does not show`);
  await record(wherefore, file, path.join(cwd, 'failing'));
  const passing = await passingRun(set, defect, file, cwd);
  const [answers, judged, tables] = [{}, {}, {}];
  const wrong = [];
  let size = {};
  for (const { strategy, asking, name } of WAYS) {
    // The paper's strategies answer nothing by themselves.
    const known = strategy === OURS ? ['--wrong', wrongAt, ...passing.flatMap((run) => ['--passing', run])] : ['--no-auto', 'all'];
    const run = path.join(cwd, name);
    fs.cpSync(path.join(cwd, 'failing'), run, { recursive: true });
    const session = await judge(wherefore, { cwd, run, correct: correctProgram(set, defect.program), trusted, strategy, options: [...known, ...ASKING[asking]] });
    answers[name] = session.asked;
    judged[name] = session.judged;
    tables[name] = session.transcript.filter((asked) => asked.rows).length;
    size = { calls: session.calls, trusted: session.trusted };
    if (session.found?.function !== defect.function) wrong.push(`${title}: ${name} names ${session.found?.function ?? 'nothing'}`);
    if (options.verbose) console.log(`${title}  ${name} ${session.asked}: ${transcript(session)}`);
  }
  return { program: defect.program, ...size, answers, judged, tables, wrong };
}

/** The run of the same program with another input, if what it prints is right. */
async function passingRun(set, defect, file, cwd) {
  if (await failure(set, defect.program, file, 'small')) return [];
  const run = path.join(cwd, 'passing');
  await record(wherefore, file, run, 'small');
  return [run];
}

/** Section 4: by edges, the first question is about the last call of merge, and it is the only one. */
async function example() {
  const cwd = path.join(folder, 'example');
  const defect = { program: 'mergesort', line: 8, from: 'c[lc++]', to: 'c[lb++]', function: 'merge' };
  const file = plant('programs', defect, cwd);
  const run = path.join(cwd, 'run');
  await record(wherefore, file, run);
  const session = await judge(wherefore, { cwd, run, correct: correctProgram('programs', 'mergesort'), trusted: [], strategy: 'edges', options: ['--singly'] });
  console.log(`\nmerge sort by edges: ${transcript(session)}; found ${session.found?.function}`);
  const [first] = session.transcript;
  if (first?.function !== 'merge' || first.hit !== 3) broken.push('merge sort: the first question by edges is not about the last call of merge');
}

function transcript(session) {
  const told = (asked) => `${asked.function}${asked.hit ? `#${asked.hit}` : ''} ${asked.verdict}`;
  const table = ({ function: name, rows }) => `${name} [${rows.map((row) => row.verdict?.[0] ?? '-').join('')}]`;
  return session.transcript.map((asked) => (asked.rows ? table(asked) : told(asked))).join(', ');
}
