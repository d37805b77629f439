// Recording a program, and judging the run with the oracle in the place of the person.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { start } from './process.mjs';

const ORACLE = path.join(path.dirname(fileURLToPath(import.meta.url)), 'oracle.mjs');

export async function record(wherefore, file, run, ...input) {
  const { status, stderr } = await start(wherefore, ['record', '-o', run, '--', 'node', path.basename(file), ...input], { cwd: path.dirname(file) });
  if (!fs.existsSync(run)) throw new Error(`could not record ${file} (${status}): ${stderr}`);
}

/** What `wherefore judge` found, after how many questions. `watch` gets the number of its process now and then. */
export async function judge(wherefore, { cwd, run, correct, trusted, strategy, options = [], log, watch }) {
  const { status, stdout, stderr } = await start(
    wherefore,
    [
      'judge', '--run', run, '--strategy', strategy, '--format', 'json',
      '--oracle', `node ${quoted(ORACLE)} ${quoted(correct)}`,
      ...trusted.flatMap((name) => ['--trust', name]),
      ...options,
    ],
    { cwd, env: log && { JUDGE_LOG: log }, watch },
  );
  try {
    return { ...JSON.parse(stdout), stderr };
  } catch {
    throw new Error(`wherefore judge ended with ${status}: ${stdout.slice(0, 500)}${stderr}`);
  }
}

function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
