// node check.mjs [--count N] [PACKAGE...]: defects of defects.json, chosen at random, fail where they are materialised and pass without.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CACHE } from './make.mjs';
import { prepared } from './materialise.mjs';
import { ran } from './running.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { count: { type: 'string', default: '40' } } });
const here = path.dirname(fileURLToPath(import.meta.url));
const all = JSON.parse(fs.readFileSync(path.join(here, 'defects.json'), 'utf8')).filter((defect) => positionals.length === 0 || positionals.includes(defect.package));
const chosen = all.map((defect) => ({ defect, chance: Math.random() })).sort((a, b) => a.chance - b.chance).slice(0, Number(values.count));
let wrong = 0;
for (const { defect } of chosen) wrong += (await holds(defect)) ? 0 : 1;
console.log(`${chosen.length - wrong} of ${chosen.length} hold`);
process.exitCode = wrong > 0 ? 1 : 0;

async function holds(defect) {
  const { folder, command } = prepared(defect, CACHE);
  const { code: broken } = await ran(command, folder, { seconds: 20 });
  fs.cpSync(path.join(folder, '../../package', defect.file), path.join(folder, defect.file));
  const { code: published } = await ran(command, folder, { seconds: 20 });
  fs.rmSync(folder, { recursive: true, force: true });
  const holding = broken !== undefined && broken !== 0 && published === 0;
  if (!holding) console.log(`${defect.package} ${defect.file}:${defect.line} ${defect.kind}, ${defect.test}: ends with ${broken}, as published with ${published}`);
  return holding;
}
