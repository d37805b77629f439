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

export function commandOf({ run, flags = [] }, file) {
  return COMMANDS[run](file, flags);
}

// `code` is undefined for what had to be killed. `passed`: the tests that were reported as passed, where they are reported.
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
    const timer = setTimeout(() => killGroup(child.pid), seconds * 1000);
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      killGroup(child.pid);
      // What is still in the pipes belongs to it.
      setImmediate(() => resolve({ code: signal ? undefined : code, passed: passed(output), output, seconds: (performance.now() - started) / 1000 }));
    });
  });
}

// The executed text of the package's own files: for each file below `folder`, which positions ran.
export async function covered(command, folder, seconds) {
  const into = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-coverage-'));
  try {
    const outcome = await ran(command, folder, { seconds, env: { NODE_V8_COVERAGE: into } });
    const files = new Map();
    for (const report of fs.readdirSync(into)) {
      for (const script of JSON.parse(fs.readFileSync(path.join(into, report), 'utf8')).result) painted(files, script, folder);
    }
    return { ...outcome, files };
  } finally {
    fs.rmSync(into, { recursive: true, force: true });
  }
}

function painted(files, { url, functions }, folder) {
  if (!url.startsWith('file://')) return;
  const file = path.relative(folder, fileURLToPath(url));
  if (file.startsWith('..') || file.startsWith('node_modules')) return;
  const whole = new Uint8Array(Math.max(...functions.flatMap(({ ranges }) => ranges.map(({ endOffset }) => endOffset))));
  // Outer ranges come first, so that the innermost has the last word.
  for (const { ranges } of functions) {
    for (const { startOffset, endOffset, count } of ranges) whole.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  }
  const known = files.get(file);
  files.set(file, known === undefined ? whole : known.map((ran, i) => ran | whole[i]));
}

// Of TAP, mocha, vows and nodeunit.
function passed(output) {
  const mocha = /^\s*(\d+) passing/m.exec(output);
  if (mocha) return Number(mocha[1]);
  const vows = /(\d+) honored/.exec(output);
  if (vows) return Number(vows[1]);
  return (output.match(/^\s*(ok \d+|✔)/gm) ?? []).length;
}

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
