// node omissions.mjs [--wherefore BIN] [--cache DIR] [--only ID] [--verbose]
// Real bugs in which something was left out (bugs/): what a person would ask who sees the failure (omissions/questions.json), and how far
// up among the results of `wherefore omissions` the place is that lacks the code: at the line of the cause (give or take 2), and in its function.
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
  verbose: { type: 'boolean' },
} });
const NEAR = 2;
const FIRST = 5;
const questions = JSON.parse(fs.readFileSync(path.join(here, 'omissions/questions.json'), 'utf8'));
const rows = questions.filter(({ id }) => !options.only || options.only === id).map(asked);

console.log('| bug | question | rank of the line | rank in its function | results | ms | |');
console.log('|---|---|---|---|---|---|---|');
for (const r of rows) console.log(`| ${r.id} | \`${r.place}\` at ${r.at} | ${r.line ?? '–'} | ${r.inFunction ?? '–'} | ${r.n ?? '–'} | ${r.ms} | ${r.problem ?? ''} |`);
const among = (rank) => rows.filter((r) => r[rank] <= FIRST).length;
const wanted = Math.ceil(rows.length * 3 / 4);
console.log(`\namong the first ${FIRST}: the line in ${among('line')}, its function in ${among('inFunction')} of ${rows.length} (limit: the function in ${wanted})`);
process.exit(among('inFunction') >= wanted ? 0 : 1);

function asked({ id, place, at }) {
  const folder = installed('bugs', id, options.cache);
  const { cause } = JSON.parse(fs.readFileSync(path.join(here, 'bugs', id, 'TRUTH.json'), 'utf8'));
  removeFolder(path.join(folder, '.wherefore'));
  execute(folder, ['record', '--', process.execPath, '--no-deprecation', 'repro.cjs']);
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
  if (options.verbose) for (const [i, r] of results.slice(0, 10).entries()) console.log(`${id} ${i + 1}: ${r.reason} ${r.branch.file}:${r.branch.line} ${r.text}`);
  const lines = functionAround(path.join(folder, cause.file), cause.line);
  const isFile = ({ file }) => file === cause.file || file?.endsWith(`/${cause.file}`);
  const rank = (isIt) => results.findIndex(({ branch }) => isFile(branch) && isIt(branch.line)) + 1 || undefined;
  return {
    ...row, n: results.length,
    line: rank((line) => Math.abs(line - cause.line) <= NEAR),
    inFunction: rank((line) => lines.from <= line && line <= lines.to),
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
