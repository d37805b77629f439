// node bench/circle.mjs --wherefore BIN [--tries 50]
// A program that moves and scales a circle at random until it cannot be seen (the user study of the lastChange paper): no two
// executions are alike, and the bug is the same. Two questions, each answered by running it again, lead to the defect; how often?
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { removeFolder } from '../tests/shared/recorded.mjs';

const here = path.dirname(new URL(import.meta.url).pathname);
const { values: options } = parseArgs({ options: { wherefore: { type: 'string' }, tries: { type: 'string', default: '50' } } });
const source = fs.readFileSync(path.join(here, 'circle', 'circle.js'), 'utf8');
const lineOf = (text) => 1 + source.split('\n').findIndex((line) => line.includes(text));
const expected = [lineOf('shape.r = Math.min('), lineOf('step.scale = Math.floor(')];

function ask(folder, ...question) {
  const run = spawnSync(options.wherefore, [...question], { cwd: folder, encoding: 'utf8' });
  if (run.status !== 0) return { error: run.stderr.trim().split('\n').pop() };
  const { answer, notes } = JSON.parse(run.stdout);
  const runs = /answered in (one|\d+) run/.exec(notes.join('\n'));
  return { line: answer.point?.line, value: answer.new?.text, n_runs: runs?.[1] === 'one' ? 1 : Number(runs?.[1]) };
}

let reached = 0;
let n_runs = 0;
for (let n = 1; n <= Number(options.tries); n++) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'circle-'));
  fs.writeFileSync(path.join(folder, 'circle.js'), source);
  const json = ['--format', 'json'];
  const first = ask(folder, 'last-change', 'shape.r', '--at', 'crash', ...json, '--', process.execPath, 'circle.js');
  const second = ask(folder, 'last-change', 'step.scale', '--at', 'P1', '--rerun', ...json);
  removeFolder(folder);
  const lines = [first.line, second.line];
  const is_right = lines.join() === expected.join() && first.value === '0' && second.value === '0';
  if (is_right) reached++;
  else console.log(`try ${n}: ${JSON.stringify([first, second])}`);
  n_runs += (first.n_runs ?? 0) + (second.n_runs ?? 0);
}
const average = (n_runs / Number(options.tries)).toFixed(2);
console.log(`the chain reached the defect in ${reached} of ${options.tries} tries; ${average} runs of the program each, for two questions`);
process.exit(reached === Number(options.tries) ? 0 : 1);
