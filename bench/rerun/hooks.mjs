// Which hooks of a workload are measured, by rule. Two properties: the one that is written most often in a recording of the workload
// (at a small scale), which costs most, and the one in the middle of all that are written, by how often they are. For a chain: the
// first, the line that writes it most often, and the variable that is written most often in its file.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../../tests/shared/recorded.mjs';

const workloads = path.join(path.dirname(fileURLToPath(import.meta.url)), '../workloads');
const SAMPLE = 200_000;

export function hooksOf({ wherefore, scratch, name }) {
  const run = path.join(scratch, 'sample');
  removeFolder(run);
  const file = path.join(workloads, `${name}.cjs`);
  execute(wherefore, ['record', '-o', run, '--', process.execPath, file], { BENCH_SCALE: '0.02', BENCH_RESULT: path.join(scratch, 'ignored') });
  const puts = events(wherefore, run, ['Put', 'PutIncrement', 'PutDecrement']);
  const ranked = byFrequency(puts.map((put) => put[3]));
  const [property, middle] = [ranked[0], ranked[ranked.length >> 1]];
  const line = mostFrequent(puts.filter((put) => put[3] === property).map((put) => put[1]));
  const [inFile] = line.split(':');
  const writes = events(wherefore, run, ['Var', 'VarIncrement', 'VarDecrement', 'Param'], inFile);
  return { property, middle, line, variable: mostFrequent(writes.map((write) => write[3])) };
}

// Each as the parts of its line: all, place, kind, name, which ends where it is assigned to or counted (`#3.index++`).
function events(wherefore, run, kinds, file) {
  const args = ['events', run, '--limit', String(SAMPLE), ...kinds.flatMap((kind) => ['--kind', kind])];
  if (file) args.push('--file', file);
  const lines = execute(wherefore, args).split('\n');
  return lines.flatMap((line) => { const parts = /^@\d+\s+(\S+:\d+)\s+(\w+) (?:#\d+\.)?([^\s+=-]+)/.exec(line); return parts ? [parts] : []; });
}

function execute(wherefore, args, env = {}) {
  const result = spawnSync(wherefore, args, { encoding: 'utf8', maxBuffer: 1 << 30, env: { ...process.env, ...env } });
  if (result.status !== 0) throw new Error(`wherefore ${args.join(' ')}: ${result.stderr}`);
  return result.stdout;
}

function mostFrequent(values) {
  return byFrequency(values)[0];
}

function byFrequency(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([value]) => value);
}
