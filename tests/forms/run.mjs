// node run.mjs [--wherefore BIN] [--node BIN] [--only NAME]
// Asks the recording of each form of a write what the program itself prints. Another value is a wrong answer; "not captured" is
// none, and counted.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { cases } from './cases.mjs';
import { removeFolder } from '../shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../../target/release/wherefore') },
  node: { type: 'string', default: process.execPath },
  only: { type: 'string' },
} });
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-forms-'));
const chosen = Object.entries(cases).filter(([name]) => options.only === undefined || name === options.only);
const [unknown, wrong] = [[], []];
for (const [name, [code, place, isLate]] of chosen) {
  const file = path.join(folder, `${name}.js`);
  const shown = `console.log(JSON.stringify(${place}) ?? 'undefined');`;
  fs.writeFileSync(file, isLate ? `${code}\nsetImmediate(() => {\n${shown}\n});\n` : `${code}\n${shown}\n`);
  const run = path.join(folder, `${name}.run`);
  const { stdout: printed } = execute(options.wherefore, ['record', '-o', run, '--', options.node, file]);
  const answer = execute(options.wherefore, ['eval', place, '--run', run, '--at', `${file}:${isLate ? 3 : 2}`]);
  if (answer.stderr.includes('not captured')) unknown.push(name);
  else if (answer.stdout !== printed) wrong.push(`${name}: ${code}\n  ${place} is ${printed.trim()}, the answer ${answer.stdout.trim() || answer.stderr.trim()}`);
}
removeFolder(folder);
wrong.forEach((line) => console.log(line));
console.log(`${chosen.length} forms of writes: ${wrong.length} wrong answers, ${unknown.length} not captured (${unknown.join(', ')})`);
process.exit(wrong.length ? 1 : 0);

function execute(command, args) {
  return spawnSync(command, args, { encoding: 'utf8' });
}
