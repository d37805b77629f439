// node run.mjs [--count 40] [--seed N] [--wherefore BIN] [--node BIN] [--keep DIR]
// Generates programs, runs them plain and recorded, compares their output, and checks the trace against what the program said it did:
// the values it wrote, the ways its branches went, what it threw and caught, and how its calls were nested.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { generate } from './generate.mjs';
import { difference } from './compare.mjs';
import { removeFolder } from '../shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../../target/release/wherefore') },
  node: { type: 'string', default: process.execPath },
  count: { type: 'string', default: '40' },
  seed: { type: 'string', default: '1' },
  keep: { type: 'string' },
  'plain-only': { type: 'boolean', default: false },
} });
const folder = options.keep ?? fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-generated-'));
fs.mkdirSync(folder, { recursive: true });
fs.copyFileSync(path.join(here, 'log.cjs'), path.join(folder, 'log.cjs'));
const program = path.join(folder, 'program.cjs');
let n_entries = 0;
let bad = 0;
for (let seed = Number(options.seed); seed < Number(options.seed) + Number(options.count); seed++) {
  const problem = check(seed);
  if (!problem) continue;
  bad++;
  if (bad <= 5) console.log(`seed ${seed}: ${problem.slice(0, 1500)}`);
  if (options.keep) break;
}
if (!options.keep) removeFolder(folder);
console.log(`${options.count} programs, ${n_entries} things that they did, ${bad} wrong`);
process.exit(bad ? 1 : 0);

function check(seed) {
  const source = generate(seed);
  fs.writeFileSync(program, source);
  const plain = run([options.node, program]);
  if (plain.status !== 0) return `the generated program fails: ${plain.stderr}`;
  if (options['plain-only']) { n_entries += plain.log.length; return undefined; }
  const trace = path.join(folder, 'run');
  removeFolder(trace);
  const recorded = run([options.wherefore, 'record', '-o', trace, '--', options.node, program]);
  if (recorded.stdout !== plain.stdout || recorded.status !== plain.status) return `output differs: ${JSON.stringify([plain.stdout, plain.status])} became ${JSON.stringify([recorded.stdout, recorded.status, recorded.stderr])}`;
  if (JSON.stringify(plain.log) !== JSON.stringify(recorded.log)) return 'the recorded program did something else';
  n_entries += plain.log.length;
  const printed = spawnSync(options.wherefore, ['events', trace, '--file', 'program.cjs', '--format', 'json'], { encoding: 'utf8', maxBuffer: 1 << 30 });
  if (printed.status !== 0) return `events: ${printed.stderr}`;
  return difference(plain.log, printed.stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line)), source.trimEnd().split('\n').length);
}

function run([command, ...args]) {
  const log = path.join(folder, 'log.json');
  fs.rmSync(log, { force: true });
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28, timeout: 60_000, env: { ...process.env, GENERATED_LOG: log } });
  return { ...result, log: fs.existsSync(log) ? JSON.parse(fs.readFileSync(log, 'utf8')) : [] };
}
