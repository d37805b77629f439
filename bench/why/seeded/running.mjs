// One test file of a package, run plain: how it ends, how long it takes, what it executes.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMANDS = {
  node: (file) => ['node', file],
  mocha: (file, flags) => ['node', 'node_modules/mocha/bin/mocha.js', ...flags, file],
  vows: (file) => ['node', 'node_modules/vows/bin/vows', file],
  nodeunit: (file) => ['node', 'node_modules/nodeunit/bin/nodeunit', file],
};

// Nothing goes on for longer, whether it computes or waits.
const LONGEST_MS = 20_000;

export function commandOf({ run, flags = [] }, file) {
  return COMMANDS[run](file, flags);
}

// `seconds` are of the processor. `code` is undefined for what had to be killed. `passed`: the tests that were reported as passed, where they are reported.
export function ran(command, cwd, { seconds, env = {} }) {
  return new Promise((resolve) => {
    const started = performance.now();
    const child = spawn(command[0], command.slice(1), {
      cwd,
      env: { PATH: process.env.PATH, HOME: os.tmpdir(), TZ: 'UTC', NODE_OPTIONS: '--max-old-space-size=400', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    const collect = (chunk) => { if (output.length < 4e6) output += chunk; };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const timer = setInterval(() => { if (cpuSeconds(child.pid) > seconds || performance.now() - started > LONGEST_MS) killGroup(child.pid); }, 500);
    child.on('exit', (code, signal) => {
      clearInterval(timer);
      killGroup(child.pid);
      // What is still in the pipes belongs to it.
      setImmediate(() => resolve({ code: signal ? undefined : code, passed: passed(output), output, seconds: (performance.now() - started) / 1000 }));
    });
  });
}

// Runs a command and sees what it executes of the package's own files.
export async function covered(command, folder, seconds) {
  const into = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-coverage-'));
  try {
    const outcome = await ran(command, folder, { seconds, env: { NODE_V8_COVERAGE: into } });
    const scripts = fs.readdirSync(into).flatMap((report) => JSON.parse(fs.readFileSync(path.join(into, report), 'utf8')).result);
    return { ...outcome, files: executed(scripts, folder) };
  } finally {
    fs.rmSync(into, { recursive: true, force: true });
  }
}

// For each file below `folder`, which positions ran.
export function executed(scripts, folder) {
  const files = new Map();
  for (const { url, functions } of scripts) {
    const file = path.relative(folder, url.startsWith('file://') ? fileURLToPath(url) : url);
    if (!path.isAbsolute(url) && !url.startsWith('file://') || file.startsWith('..') || file.startsWith('node_modules')) continue;
    const positions = painted(functions);
    const known = files.get(file);
    files.set(file, known === undefined ? positions : positions.map((ran, i) => ran | (known[i] ?? 0)));
  }
  return files;
}

// Outer ranges come first, so that the innermost has the last word.
function painted(functions) {
  const ranges = functions.flatMap((each) => each.ranges);
  const positions = new Uint8Array(Math.max(0, ...ranges.map(({ endOffset }) => endOffset)));
  for (const { startOffset, endOffset, count } of ranges) positions.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  return positions;
}

// Of TAP, mocha, vows and nodeunit.
function passed(output) {
  const mocha = /^\s*(\d+) passing/m.exec(output);
  if (mocha) return Number(mocha[1]);
  const vows = /(\d+) honored/.exec(output);
  if (vows) return Number(vows[1]);
  return (output.match(/^\s*(ok \d+|✔)/gm) ?? []).length;
}

// What a process has used so far; where the system does not say, the time since it was first asked about.
export function cpuSeconds(pid) {
  try {
    const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return performance.now() / 1000;
  }
}

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
