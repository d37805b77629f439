// Whether a test file fails, asked often: inside one process where the framework allows it, else by a process for each.
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ran } from './running.mjs';

const inside = path.join(path.dirname(fileURLToPath(import.meta.url)), 'inside.cjs');

export function trials(entry, folder) {
  let child;
  const end = () => {
    child?.kill('SIGKILL');
    child = undefined;
  };
  const ask = (file, seconds) => new Promise((resolve) => {
    child ??= spawn('node', ['--max-old-space-size=400', inside, entry.run, ...(entry.flags ?? [])], { cwd: folder, env: { PATH: process.env.PATH, HOME: os.tmpdir(), TZ: 'UTC' }, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const answered = (outcome) => {
      clearTimeout(timer);
      child.removeAllListeners();
      if (outcome === undefined || outcome.spoilt) end();
      resolve(outcome);
    };
    const timer = setTimeout(() => answered(undefined), seconds * 1000);
    child.once('message', answered);
    child.once('exit', () => answered({ failed: true, spoilt: true }));
    child.send(file);
  });
  return {
    end,
    // Tests that pass as published in here too; the others are run by themselves.
    async prepare(tests) {
      for (const test of tests) test.inside = test.inProcess && (await ask(test.file, 10))?.failed === false;
    },
    // Undefined: it does not end in time.
    async fails(test, seconds) {
      if (test.inside) return (await ask(test.file, seconds))?.failed;
      const { code } = await ran(test.command, folder, { seconds });
      return code === undefined ? undefined : code !== 0;
    },
  };
}
