// Programs with one changed line, in folders of their own.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { start } from './process.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const LONGEST_MS = 10_000;

export function correctProgram(set, program) {
  return path.join(here, set, `${program}.cjs`);
}

/** The program of `defect` with its line changed, alone in `folder`. */
export function plant(set, { program, line, from, to }, folder) {
  const lines = fs.readFileSync(correctProgram(set, program), 'utf8').split('\n');
  if (!lines[line - 1].includes(from)) throw new Error(`${program}.cjs:${line} does not hold ${from}`);
  lines[line - 1] = lines[line - 1].replace(from, () => to);
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${program}.cjs`);
  fs.writeFileSync(file, lines.join('\n'));
  return file;
}

/** What is wrong with the output of `file`, as a point: the first line that differs, or the crash; undefined if nothing is. */
export async function failure(set, program, file, ...input) {
  const right = await start('node', [correctProgram(set, program), ...input], { timeout: LONGEST_MS });
  const mutated = await start('node', [file, ...input], { timeout: LONGEST_MS });
  if (right.status !== 0) throw new Error(`${program} fails without a defect: ${right.stderr}`);
  if (mutated.status === null) throw new Error(`${file} does not end`);
  const [wanted, got] = [right.stdout.split('\n'), mutated.stdout.split('\n')];
  const line = wanted.findIndex((text, i) => text !== got[i]);
  if (mutated.status !== 0 && got.length - 1 <= line) return 'crash';
  return line < 0 ? undefined : `out:${line + 1}`;
}
