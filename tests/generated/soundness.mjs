// node soundness.mjs [--count 10] [--seed 1] [--wherefore BIN] [--scorer BIN] [--node BIN]
// What generated programs were seen to do is among what their source says they may: every call that was executed and every place where an
// object was made, without any hint from the run. Both generators: that of this folder, and that of tests/oracle. What the analysis leaves
// out by intent (static-analysis/src/rules.rs) these programs do not do; a miss is a defect.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { generate } from './generate.mjs';
import { batch } from '../oracle/generate.mjs';
import { removeFolder } from '../shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../../target/release/wherefore') },
  scorer: { type: 'string', default: path.join(here, '../../target/release/analysis_bench') },
  node: { type: 'string', default: process.execPath },
  count: { type: 'string', default: '10' },
  seed: { type: 'string', default: '1' },
} });
const CALL_ALL = `
const nothing = () => {};
(async () => { for (const program of module.exports) { try { await program(nothing); } catch { /* as its log says */ } } })();
`;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-soundness-'));
fs.copyFileSync(path.join(here, 'log.cjs'), path.join(folder, 'log.cjs'));
let n_calls = 0, n_births = 0, n_missed = 0;
for (let seed = Number(options.seed); seed < Number(options.seed) + Number(options.count); seed++) {
  check(`seed ${seed}`, generate(seed));
  check(`seed ${seed} of the oracle`, batch([seed]) + CALL_ALL);
}
removeFolder(folder);
console.log(`${2 * options.count} programs: of ${n_calls} calls that were executed and ${n_births} places where objects were made ${n_missed} were not found`);
process.exit(n_missed || !n_calls || !n_births ? 1 : 0);

function check(name, text) {
  fs.writeFileSync(path.join(folder, 'program.cjs'), text);
  const run = path.join(folder, 'run');
  removeFolder(run);
  execute(options.wherefore, ['record', '-o', run, '--', options.node, 'program.cjs']);
  const lines = execute(options.scorer, [run, run, '--no-hints', '--misses']).trim().split('\n');
  const values = Object.fromEntries(lines.map((line) => line.split(' ', 2)));
  const missed = lines.filter((line) => line.startsWith('miss '));
  n_calls += Number(values.edges);
  n_births += Number(values.births);
  n_missed += missed.length;
  for (const miss of missed) console.log(`${name}: ${miss}`);
}

function execute(command, args) {
  const env = { ...process.env, GENERATED_LOG: path.join(folder, 'log.json') };
  const done = spawnSync(command, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28, env });
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${done.error ?? done.stderr}`);
  return done.stdout;
}
