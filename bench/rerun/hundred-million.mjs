// Whether a hook may fire 100 million times: what the run takes on disk meanwhile, and whether the program's memory grows. The
// question is asked as a person asks it.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const program = path.join(here, 'busy.cjs');
const TIMES = 100_000_000;
const LIMITS = { disk: 200, growth: 1.1 };
const LOOK_EVERY = 100;

// Gives how many limits were broken.
export async function hundredMillion({ wherefore, scratch }) {
  console.log(`a property that is written ${TIMES.toLocaleString('en')} times; memory of the program after 10 %, 50 % and 100 % of them\n`);
  console.log('| values | seconds | MB on disk, at most | at the end | MB of memory | answer |');
  console.log('|---|---|---|---|---|---|');
  let n_broken = 0;
  for (const kind of ['integers', 'doubles']) {
    const { seconds, most, left, memory, answer } = await asked(wherefore, scratch, kind);
    const [first, , last] = memory;
    const holds = { disk: most <= LIMITS.disk, memory: last <= first * LIMITS.growth, answer: answer === 'written' };
    n_broken += Object.values(holds).filter((it) => !it).length;
    const shown = (text, it) => it ? text : `**${text}**`;
    console.log(`| ${kind} | ${seconds.toFixed(0)} | ${shown(most.toFixed(0), holds.disk)} | ${left.toFixed(0)} | ${shown(memory.join(', '), holds.memory)} | ${shown(answer, holds.answer)} |`);
  }
  console.log(`\nlimits: ${LIMITS.disk} MB of disk, ${LIMITS.growth} × the memory after 10 %`);
  return n_broken;
}

async function asked(wherefore, scratch, kind) {
  const folder = path.join(scratch, kind);
  fs.mkdirSync(folder);
  const report = path.join(folder, 'memory.txt');
  const line = 1 + fs.readFileSync(program, 'utf8').split('\n').findIndex((text) => text.includes('console.log'));
  const args = ['last-change', 'shown.total', '--at', `busy.cjs:${line}`, '--format', 'json', '--', process.execPath, program, kind, String(TIMES)];
  const start = process.hrtime.bigint();
  let most = 0;
  const child = spawn(wherefore, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, MEMORY_REPORT: report } });
  const looking = setInterval(() => { most = Math.max(most, megabytes(folder)); }, LOOK_EVERY);
  let output = '';
  child.stdout.on('data', (text) => { output += text; });
  await new Promise((resolve) => child.on('close', resolve));
  clearInterval(looking);
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  const left = megabytes(folder);
  const memory = fs.readFileSync(report, 'utf8').trim().split('\n').slice(-3).map((text) => Number(text.split(' ')[1]));
  return { seconds, most: Math.max(most, left), left, memory, answer: output ? JSON.parse(output).answer.kind : 'none' };
}

// What the files take, not what they could: a file may have holes.
function megabytes(folder) {
  let bytes = 0;
  for (const name of fs.readdirSync(folder, { recursive: true })) {
    const found = fs.statSync(path.join(folder, name), { throwIfNoEntry: false });
    if (found?.isFile()) bytes += found.blocks * 512;
  }
  return bytes / 1e6;
}
