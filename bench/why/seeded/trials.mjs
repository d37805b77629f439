// Whether a test file fails, asked often: inside one process where the framework allows it, else by a process for each.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandOf, covered, cpuSeconds, executed, ran } from './running.mjs';

// How long something may take is counted in time of the processor: others use the machine too.
const CHECK_MS = 250;
const IDLE_CHECKS = 8;
const program = path.join(path.dirname(fileURLToPath(import.meta.url)), 'inside.cjs');

export function trials(entry, folder) {
  let child;
  const end = () => {
    child?.kill('SIGKILL');
    child = undefined;
  };
  // A test that never ends must not outlive who asked.
  process.once('exit', end);
  process.once('SIGTERM', () => process.exit(1));
  // Undefined: it does not end in time.
  const ask = (question, seconds) => new Promise((resolve) => {
    child ??= spawn('node', ['--max-old-space-size=400', program, ...(entry.flags ?? [])], { cwd: folder, env: { PATH: process.env.PATH, HOME: os.tmpdir(), TZ: 'UTC' }, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const answered = (outcome) => {
      clearInterval(timer);
      child.removeAllListeners();
      if (outcome === undefined || outcome.spoilt) end();
      resolve(outcome);
    };
    const used = [cpuSeconds(child.pid)];
    const timer = setInterval(() => {
      used.push(cpuSeconds(child.pid));
      if (used.at(-1) - used[0] > seconds) answered(undefined);
      else if (used.length > IDLE_CHECKS && used.at(-1) - used.at(-IDLE_CHECKS) < 0.03) answered({ idle: true, spoilt: true });
    }, CHECK_MS);
    child.once('message', answered);
    child.once('exit', () => answered({ failed: true, passed: 0, spoilt: true }));
    child.on('error', () => {});
    child.send(question);
  });
  // What waits for something that never comes would end, with an error, if it were alone.
  const inside = async (test, seconds) => {
    const outcome = await ask({ file: test.file, how: test.inside }, seconds);
    return outcome?.idle ? byItself(test.command, seconds) : outcome;
  };
  const byItself = async (command, seconds) => {
    const { code, passed } = await ran(command, folder, { seconds });
    return code === undefined ? undefined : { failed: code !== 0, passed };
  };

  return {
    end,
    // A test file as published: what it executes. Undefined if it does not pass.
    async plain(file, seconds) {
      const command = commandOf(entry, file);
      const how = howInside(entry, path.join(folder, file));
      const started = performance.now();
      const outcome = how === undefined ? undefined : await ask({ file, how, coverage: true }, seconds);
      if (outcome?.failed === false) return { file, command, inside: how, passed: outcome.passed, seconds: (performance.now() - started) / 1000, files: executed(outcome.scripts, folder) };
      const plain = await covered(command, folder, seconds);
      return plain.code === 0 ? { file, command, passed: plain.passed, seconds: plain.seconds, files: plain.files } : undefined;
    },
    outcome: (test, seconds) => (test.inside === undefined ? byItself(test.command, seconds) : inside(test, seconds)),
    byItself: (test, seconds) => byItself(test.command, seconds),
    async loads(file) {
      if (!file.endsWith('.mjs')) {
        const outcome = await ask({ file, how: 'load' }, 5);
        if (outcome?.failed === false) return true;
      }
      return (await byItself(['node', '-e', `import(${JSON.stringify(path.join(folder, file))})`], 10))?.failed === false;
    },
  };
}

function howInside({ run }, file) {
  const text = fs.readFileSync(file, 'utf8');
  if (/node:test|^import\s/m.test(text)) return undefined;
  if (run !== 'node') return run === 'mocha' ? 'mocha' : undefined;
  return /require\(['"]tape?['"]\)/.test(text) ? 'tape' : 'script';
}
