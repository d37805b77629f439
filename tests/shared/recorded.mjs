// What the runners share that compare processes, plain and recorded.
import { spawn } from 'node:child_process';
import fs from 'node:fs';

// Runs a command to its end. `files` are where stdout and stderr go: what a program writes to a pipe before process.exit() can
// get lost, plain or not. `during` is called with the child, once it runs; what it resolves to is `during` of the outcome.
export async function run([command, ...args], { cwd, env, stdin = '', files, seconds = 60, during }) {
  const fds = files.map((file) => fs.openSync(file, 'w'));
  // A group of its own, so that nothing that it started outlives it if it hangs.
  const child = spawn(command, args, { cwd, env, stdio: ['pipe', ...fds], detached: true });
  const outcome = { end: undefined, during: undefined };
  const timer = setTimeout(() => {
    outcome.end = 'timeout';
    killGroup(child.pid);
  }, seconds * 1000);
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const closed = new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Error(`cannot start ${command}: ${error.message}`)));
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  if (during !== undefined) outcome.during = await Promise.race([during(child), closed]);
  const end = await closed;
  clearTimeout(timer);
  fds.forEach((fd) => fs.closeSync(fd));
  const [stdout, stderr] = files.map((file) => fs.readFileSync(file, 'utf8'));
  return { ...outcome, end: outcome.end ?? end, stdout, stderr };
}

// Removes a folder in which something was recorded. Its index may still be made, by a process that goes on behind the command and sees
// only at its next file that the run is gone.
export function removeFolder(folder, seconds = 30) {
  for (const end = Date.now() + seconds * 1000; ;) {
    try {
      fs.rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (error.code !== 'ENOTEMPTY' || Date.now() > end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}

// What the recorder itself says at the end.
export function withoutSummary(stderr) {
  return stderr.replace(SUMMARY, '');
}

export function summary(stderr) {
  return SUMMARY.exec(stderr)?.[0] ?? '';
}

export function firstDifference(a, b, indent = '    ') {
  const [x, y] = [a.split('\n'), b.split('\n')];
  const i = x.findIndex((line, n) => line !== y[n]);
  const at = i < 0 ? x.length : i;
  const shown = (lines) => lines.slice(at, at + 4).join(`\n${indent}         `);
  return `${indent}plain    ${shown(x)}\n${indent}recorded ${shown(y)}`;
}

const SUMMARY = /(?:wherefore: [^\n]*\n)+$/;

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
