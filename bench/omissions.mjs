// node omissions.mjs [--wherefore BIN] [--cache DIR] [--only ID] [--skip-held-out] [--verbose]
// Real bugs in which something was left out (bugs/): what a person would ask who sees the failure (omissions/questions.json), and how far
// up among the results of `wherefore omissions` the place is that lacks the code: at the line of the cause (give or take 2), and in its function.
// Then programs of our own (omissions/programs), in which an operation was forgotten or prevented: at the line of the cause, or of another
// place that TRUTH.json names (give or take 2). Half of them were written before the ranking was looked at, and first run when it was done.
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
  'skip-held-out': { type: 'boolean' },
  verbose: { type: 'boolean' },
} });
const NEAR = 2;
const FIRST = 5;
const MOST_MS = 2000;
const isAsked = (id) => !options.only || options.only === id;
const questions = JSON.parse(fs.readFileSync(path.join(here, 'omissions/questions.json'), 'utf8'));
const bugs = questions.filter(({ id }) => isAsked(id)).map(ofBug);
const programs = fs.readdirSync(path.join(here, 'omissions/programs')).filter(isAsked).map(ofProgram).filter(Boolean);

const among = (rows, rank) => rows.filter((row) => row[rank] <= FIRST).length;
table(bugs);
const wanted = Math.ceil(bugs.length * 3 / 4);
console.log(`\nreal bugs, among the first ${FIRST}: the line in ${among(bugs, 'line')}, its function in ${among(bugs, 'inFunction')} of ${bugs.length} (limit: the function in ${wanted})\n`);
table(programs);
let n_short = 0;
for (const isHeldOut of [false, true]) {
  const rows = programs.filter((row) => row.isHeldOut === isHeldOut);
  const n_wanted = Math.ceil(rows.length * 3 / 4);
  if (among(rows, 'line') < n_wanted) n_short++;
  console.log(`programs, ${isHeldOut ? 'held out' : 'looked at'}: the line among the first ${FIRST} in ${among(rows, 'line')} of ${rows.length} (limit: ${n_wanted})`);
}
const isSlow = isAsked('large') && large() > MOST_MS;
process.exit(among(bugs, 'inFunction') >= wanted && n_short === 0 && !isSlow ? 0 : 1);

// A question about a run of ten million events with a large library beside (omissions/large): milliseconds, the first time and again.
function large() {
  const folder = path.join(options.cache, 'omissions/large');
  fs.cpSync(path.join(here, 'omissions/large'), folder, { recursive: true });
  const code = path.join(installed('bugs', 'alasql-427', options.cache), 'node_modules/alasql/dist/alasql.js');
  removeFolder(path.join(folder, '.wherefore'));
  const { stderr } = execute(folder, ['record', '--', process.execPath, 'main.cjs', code, '770000']);
  const times = [0, 1].map(() => {
    const started = process.hrtime.bigint();
    execute(folder, ['omissions', 'late', '--at', 'out:1']);
    return Math.round(Number(process.hrtime.bigint() - started) / 1e6);
  });
  removeFolder(path.join(folder, '.wherefore'));
  console.log(`\na question on ${stderr.match(/[\d,]+ events/)?.[0]} and ${(fs.statSync(code).size / 1e6).toFixed(1)} MB of code: ${times.join(' ms, again ')} ms (limit: ${MOST_MS})`);
  return Math.min(...times);
}


function table(rows) {
  console.log('| bug | question | rank of the line | rank in its function | results | ms | |');
  console.log('|---|---|---|---|---|---|---|');
  for (const r of rows) console.log(`| ${r.id} | \`${r.place}\` at ${r.at} | ${r.line ?? '–'} | ${r.inFunction ?? '–'} | ${r.n ?? '–'} | ${r.ms} | ${r.problem ?? ''} |`);
}

function ofBug({ id, place, at }) {
  const folder = installed('bugs', id, options.cache);
  const { cause } = JSON.parse(fs.readFileSync(path.join(here, 'bugs', id, 'TRUTH.json'), 'utf8'));
  return asked(folder, { id, place, at }, ['--no-deprecation', 'repro.cjs'], [cause]);
}

function ofProgram(id) {
  const folder = path.join(options.cache, 'omissions', id);
  fs.cpSync(path.join(here, 'omissions/programs', id), folder, { recursive: true });
  const { held_out: isHeldOut, place, at, cause, also = [] } = JSON.parse(fs.readFileSync(path.join(folder, 'TRUTH.json'), 'utf8'));
  if (isHeldOut && options['skip-held-out']) return undefined;
  const causes = [cause, ...also].map(({ file, snippet, nth = 1 }) => ({ file, line: lineOf(path.join(folder, file), snippet, nth) }));
  return { ...asked(folder, { id, place, at }, ['main.js'], causes), isHeldOut };
}

function lineOf(file, snippet, nth) {
  const lines = fs.readFileSync(file, 'utf8').split('\n').map((text, i) => [text.trim(), i + 1]);
  return lines.filter(([text]) => text === snippet)[nth - 1][1];
}

function asked(folder, { id, place, at }, command, causes) {
  removeFolder(path.join(folder, '.wherefore'));
  execute(folder, ['record', '--', process.execPath, ...command]);
  const started = process.hrtime.bigint();
  const { stdout, stderr, status } = execute(folder, ['omissions', place, '--at', at, '--limit', '200', '--format', 'json']);
  const ms = Math.round(Number(process.hrtime.bigint() - started) / 1e6);
  removeFolder(path.join(folder, '.wherefore'));
  const row = { id, place, at, ms };
  let results;
  try {
    results = JSON.parse(stdout).answer.results;
  } catch {
    return { ...row, problem: `exit ${status}: ${stderr.trim().split('\n').at(-1)}` };
  }
  if (options.verbose) for (const [i, r] of results.slice(0, 10).entries()) console.log(`${id} ${i + 1}: ${r.reason} ${r.branch.file}:${r.branch.line} ${r.text} → ${r.operation.line}: ${r.operation.text}`);
  const isFile = ({ file }, cause) => file === cause.file || file?.endsWith(`/${cause.file}`);
  const rank = (isIt) => results.findIndex(({ branch }) => causes.some((cause) => isFile(branch, cause) && isIt(branch.line, cause))) + 1 || undefined;
  return {
    ...row, n: results.length,
    line: rank((line, cause) => Math.abs(line - cause.line) <= NEAR),
    inFunction: rank((line, cause) => {
      const lines = functionAround(path.join(folder, cause.file), cause.line);
      return lines.from <= line && line <= lines.to;
    }),
  };
}

function execute(cwd, args) {
  return spawnSync(options.wherefore, args, { cwd, encoding: 'utf8', timeout: 300_000, maxBuffer: 1 << 28 });
}

// The lines of the innermost function around one, by indentation: from its head to the brace that closes it.
function functionAround(file, line) {
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const indent = (text) => text.replace(/\t/g, '    ').match(/^ */)[0].length;
  const isHead = (text) => /\bfunction\b|=>\s*\{|^\s*(?:async\s+)?[\w$]+\s*\([^)]*\)\s*\{/.test(text) && !/^\s*(?:if|for|while|switch|catch)\b/.test(text);
  const own = isHead(lines[line - 1]) ? indent(lines[line - 1]) + 1 : indent(lines[line - 1]);
  let from = line - 1;
  while (from > 0 && !(isHead(lines[from]) && indent(lines[from]) < own)) from--;
  const closes = (text) => /^\s*\}/.test(text) && indent(text) <= indent(lines[from]);
  const length = lines.slice(from + 1).findIndex(closes);
  return { from: from + 1, to: from + 2 + length };
}
