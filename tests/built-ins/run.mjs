// node run.mjs [--wherefore BIN] [--node BIN] [--count N] [--seed N]
// Generated expressions with built-ins, over values that a program has: what Node gives, and what is told of the recording. Another value is a wrong
// answer; one that is refused is none, and counted.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { expressions } from './generate.mjs';
import { removeFolder } from '../shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../../target/release/wherefore') },
  node: { type: 'string', default: process.execPath },
  count: { type: 'string', default: '400' },
  seed: { type: 'string', default: '1' },
} });
/** So many are asked with one command. */
const BATCH = 40;
/** Of a hundred, so many may be refused: what is generated is nearly all interpreted, but for Dates and Maps, whose prototypes are not recorded. */
const MOST_REFUSED = 10;

const VALUES = fs.readFileSync(path.join(here, 'values.js'), 'utf8');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-built-ins-'));
const all = expressions(Number(options.seed), Number(options.count));

// Each as a text, so that every value can be compared.
const asked = all.map((expression) => `JSON.stringify([${expression}])`);
const plain = path.join(folder, 'plain.js');
fs.writeFileSync(plain, `${VALUES}
for (const $asked of ${JSON.stringify(asked)}) {
  let $given;
  try { $given = eval($asked); } catch { $given = null; }
  console.log(JSON.stringify($given));
}
`);
const expected = execute(options.node, [plain]).stdout.trimEnd().split('\n').map((line) => JSON.parse(line));

const app = path.join(folder, 'app.js');
fs.writeFileSync(app, `${VALUES}console.log('here');\n`);
const run = path.join(folder, 'run');
execute(options.wherefore, ['record', '-o', run, '--', options.node, app]);
const at = `${app}:${VALUES.split('\n').length}`;
const [wrong, refused] = [[], []];
for (let start = 0; start < asked.length; start += BATCH) {
  const batch = asked.slice(start, start + BATCH);
  const { stdout, stderr } = execute(options.wherefore, ['log', batch.join(', '), '--run', run, '--at', at, '--format', 'json']);
  if (!stdout) throw new Error(stderr);
  const { values } = JSON.parse(stdout).answer.hits[0];
  values.forEach((value, i) => compare(batch[i], value, expected[start + i]));
}
removeFolder(folder);
wrong.forEach((line) => console.log(line));
refused.slice(0, 20).forEach((line) => console.log(`refused: ${line}`));
console.log(`${asked.length} expressions of seed ${options.seed}: ${wrong.length} wrong values, ${refused.length} refused`);
process.exit(wrong.length > 0 || refused.length * 100 > asked.length * MOST_REFUSED ? 1 : 0);

/** What Node throws at is to be refused. */
function compare(expression, value, expected) {
  if (value.unknown !== undefined) {
    if (expected !== null) refused.push(`${expression}: ${value.unknown}`);
    return;
  }
  const [, text, length] = /^(".*")(?: \((\d+) characters\))?$/s.exec(value.value.text) ?? [];
  const told = text && JSON.parse(text);
  const isIt = length === undefined
    ? told === expected
    : expected !== null && expected.startsWith(told.slice(0, -1)) && [...expected].length === Number(length);
  if (!isIt) wrong.push(`${expression}\n  Node: ${expected}\n  told: ${value.value.text}`);
}

function execute(command, args) {
  return spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
}
