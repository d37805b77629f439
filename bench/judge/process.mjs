import { spawn } from 'node:child_process';

/** Runs a command to its end; the status is null where a signal ended it. */
export function start(command, given, { cwd, timeout, env, watch } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, given, { cwd, timeout, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr] = [[], []];
    child.stdout.on('data', (chunk) => stdout.push(chunk));
    child.stderr.on('data', (chunk) => stderr.push(chunk));
    const watching = watch && setInterval(() => watch(child.pid), 50);
    child.on('error', reject);
    child.on('close', (status) => {
      clearInterval(watching);
      resolve({ status, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
    });
  });
}

/** Does `work` on every item, as many at a time as there are processors; results in the order of the items. */
export async function forEachAtOnce(items, atOnce, work) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const i = next++;
      results[i] = await work(items[i], i);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
