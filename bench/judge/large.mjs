// How long the next question takes in a call tree of eleven million nodes, and how much memory.
import fs from 'node:fs';
import path from 'node:path';
import { correctProgram, plant } from './mutant.mjs';
import { judge, record } from './session.mjs';
import { average } from './table.mjs';

const LONGEST_MS = 200;
const MOST_BYTES = 2e9;

/** Prints the figures of each strategy; gives what is beyond its limit. */
export async function measureLarge(wherefore, folder, strategies, ours) {
  const cwd = path.join(folder, 'large');
  const file = plant('programs', { program: 'decimal', line: 5, from: 'return 1;', to: 'return first === 7654321 ? 0 : 1;' }, cwd);
  await record(wherefore, file, path.join(cwd, 'run'));
  const broken = [];
  for (const name of strategies) {
    const options = name === ours ? ['--wrong', 'out:1'] : [];
    const run = path.join(cwd, name);
    fs.cpSync(path.join(cwd, 'run'), run, { recursive: true });
    const log = path.join(cwd, `${name}.log`);
    const started = Date.now();
    let peak = 0;
    const session = await judge(wherefore, {
      cwd, run, correct: correctProgram('programs', 'decimal'), trusted: [], strategy: name, options, log,
      watch: (pid) => { peak = Math.max(peak, residentPeak(pid)); },
    });
    const { first, gaps } = times(log, started);
    const longest = Math.max(...gaps);
    console.log(`\n${session.calls.toLocaleString('en')} calls, ${name}: ${session.asked} questions, found ${session.found?.function}; all is read after ${(first / 1000).toFixed(1)} s, `
      + `the next question after ${average(gaps).toFixed(0)} ms on average, ${longest} at most (limit ${LONGEST_MS}); ${(peak / 1e9).toFixed(2)} GB (limit ${MOST_BYTES / 1e9})`);
    if (session.found?.function !== 'count') broken.push(`the large tree, ${name}: names ${session.found?.function}`);
    if (longest > LONGEST_MS) broken.push(`the large tree, ${name}: a question took ${longest} ms`);
    if (peak > MOST_BYTES) broken.push(`the large tree, ${name}: ${peak} bytes`);
  }
  return broken;
}

/** From an answer to the start of the oracle with the next question, which includes the end of the oracle before. */
function times(log, started) {
  const asked = fs.readFileSync(log, 'utf8').trim().split('\n').map((line) => line.split(' ').map(Number));
  return { first: asked[0][0] - started, gaps: asked.slice(1).map(([begin], i) => begin - asked[i][1]) };
}

function residentPeak(pid) {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
