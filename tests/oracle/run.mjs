// node run.mjs --oracle BIN [--count 100] [--seed 1] [--batch 50] [--wherefore BIN] [--node BIN] [--keep DIR] [--explanations 2] [--known FILE]
// Generates programs, runs them plain (which writes down what they hold at their probes) and recorded, and has the oracle ask its
// questions of the recordings. `--explanations`: of how many places and exceptions of each program it checks what `why` tells.
// `--known`: what is known to be wrong, as it is printed; more, less or else fails.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { batch } from './generate.mjs';
import { removeFolder } from '../shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../../target/release/wherefore') },
  oracle: { type: 'string', default: path.join(here, '../../target/release/oracle') },
  node: { type: 'string', default: process.execPath },
  count: { type: 'string', default: '100' },
  seed: { type: 'string', default: '1' },
  batch: { type: 'string', default: '50' },
  keep: { type: 'string' },
  explanations: { type: 'string', default: '2' },
  known: { type: 'string' },
} });
const folder = options.keep ?? fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-oracle-'));
fs.mkdirSync(folder, { recursive: true });
const [first, count, size] = [options.seed, options.count, options.batch].map(Number);
const batches = [];
for (let start = first; start < first + count; start += size) {
  const seeds = Array.from({ length: Math.min(size, first + count - start) }, (_, i) => start + i);
  batches.push(recorded(path.join(folder, `${start}`), seeds));
}
const asked = spawnSync(options.oracle, ['--explanations', options.explanations, ...(options.known ? ['--known', options.known] : []), ...batches], { stdio: 'inherit' });
if (!options.keep) removeFolder(folder);
process.exit(asked.status ?? 1);

// A folder with the programs, what they said of themselves (dump.txt) and their recording (run).
function recorded(folder, seeds) {
  removeFolder(folder);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'programs.cjs'), batch(seeds));
  for (const file of ['main.cjs', 'dump.cjs']) fs.copyFileSync(path.join(here, file), path.join(folder, file));
  run(options.node, ['main.cjs'], folder, { ORACLE_DUMP: path.join(folder, 'dump.txt') });
  run(options.wherefore, ['record', '-o', path.join(folder, 'run'), '--', options.node, 'main.cjs'], folder, {});
  return folder;
}

function run(command, args, cwd, env) {
  const result = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28, timeout: 300_000, env: { ...process.env, ...env } });
  if (result.status === 0) return;
  console.error(`${command} ${args.join(' ')} in ${cwd}: ${result.error ?? result.stderr}`);
  process.exit(1);
}
