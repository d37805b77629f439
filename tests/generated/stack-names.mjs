// node stack-names.mjs [--count 40] [--seed N] [--wherefore BIN] [--node BIN] [--keep DIR]
// Generates programs that print stack traces of functions without names (names.mjs), and runs them plain and recorded: what they print
// must be the same. Lines about receivers are only counted: the constructor of one may have another name ("Names that V8 infers" in
// ARCHITECTURE.md).
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { names } from './names.mjs';
import { firstDifference, removeFolder, run, withoutSummary } from '../shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../../target/release/wherefore') },
  node: { type: 'string', default: process.execPath },
  count: { type: 'string', default: '40' },
  seed: { type: 'string', default: '1' },
  keep: { type: 'string' },
} });
const SHOWN = 5;
const folder = options.keep ?? fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-names-'));
fs.mkdirSync(folder, { recursive: true });
const trace = path.join(folder, 'run');
let n_lines = 0;
let n_types = 0;
let n_types_different = 0;
let n_different = 0;
for (let seed = Number(options.seed); seed < Number(options.seed) + Number(options.count); seed++) {
  const problem = await check(seed);
  if (!problem) continue;
  n_different++;
  if (n_different <= SHOWN) console.log(`seed ${seed}: ${problem}`);
  if (options.keep) break;
}
if (!options.keep) removeFolder(folder);
console.log(`${options.count} programs, ${n_lines} lines about functions, ${n_different} programs different`);
console.log(`${n_types} lines about receivers, ${n_types_different} different`);
process.exit(n_different ? 1 : 0);

async function check(seed) {
  const files = Object.entries(names(seed));
  for (const [name, text] of files) fs.writeFileSync(path.join(folder, name), text);
  const program = path.join(folder, files[0][0]);
  const plain = await outcome([options.node, program]);
  if (plain.end !== 0) return `the generated program fails: ${plain.text}`;
  removeFolder(trace);
  const recorded = await outcome([options.wherefore, 'record', '-o', trace, '--', options.node, program]);
  const [mine, other] = [plain, recorded].map(({ text }) => byKind(text.split('\n')));
  n_lines += mine.functions.length;
  n_types += mine.types.length;
  n_types_different += mine.types.filter((line, n) => line !== other.types[n]).length;
  const [a, b] = [mine, other].map(({ functions }) => functions.join('\n'));
  return a === b && recorded.end === plain.end ? undefined : `\n${firstDifference(a, b)}`;
}

function byKind(lines) {
  const isOfTypes = (line) => line.startsWith('type ');
  return { functions: lines.filter((line) => !isOfTypes(line)), types: lines.filter(isOfTypes) };
}

async function outcome(command) {
  const files = ['stdout', 'stderr'].map((stream) => path.join(folder, stream));
  const { end, stdout, stderr } = await run(command, { cwd: folder, env: process.env, files });
  return { end, text: stdout + withoutSummary(stderr) };
}
