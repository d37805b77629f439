// cargo xtask crowd: users of a program, each a real process with a seed of its own and the agent in it, and a real `wherefore collect`.
// A round is one run by every user. Prints what each round taught, and the path in the end.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, existsSync, readFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { removeFolder } from '../shared/recorded.mjs';

const { values: options } = parseArgs({
  options: {
    wherefore: { type: 'string' },
    agent: { type: 'string' },
    program: { type: 'string' },
    users: { type: 'string', default: '12' },
    rounds: { type: 'string', default: '15' },
    'budget-users': { type: 'string', default: '100%' },
    'budget-per-user': { type: 'string', default: '100%' },
  },
});

const RELEASE = '1.0.0';
const LONGEST_RUN = 30_000;
const LONGEST_REPORT = 15_000;

const program = resolve(options.program);
const folder = mkdtempSync(join(tmpdir(), 'wherefore-crowd-'));
const data = join(folder, 'data');
const server = spawn(options.wherefore, ['collect', '--listen', '127.0.0.1:0', '--data', data, '--rate', '10000',
  '--budget-users', options['budget-users'], '--budget-per-user', options['budget-per-user']], { stdio: ['ignore', 'ignore', 'pipe'] });
try {
  const url = await listening(server);
  const reportKey = await makeKey([]);
  const operatorKey = await makeKey(['--operator']);
  process.exitCode = await crowd(url, reportKey, operatorKey) ? 0 : 1;
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  removeFolder(folder);
}

// Gives whether every bug was found.
async function crowd(url, reportKey, operatorKey) {
  const ask = async (path) => (await fetch(url + path, { headers: { authorization: `Bearer ${operatorKey}` } })).json();
  const n_users = Number(options.users);
  let nCrashes = 0;
  let bugs = [];
  for (let round = 1; round <= Number(options.rounds); round++) {
    const codes = await inParallel(n_users, (user) => runOnce(user, url, reportKey));
    nCrashes += codes.filter((code) => code !== 0).length;
    bugs = await after(nCrashes, async () => (await ask('/v1/bugs')).bugs);
    const nCounted = bugs.reduce((sum, bug) => sum + bug.count, 0);
    console.log(`round ${round}: ${codes.filter((code) => code !== 0).length} of ${n_users} crashed, ${nCounted} of ${nCrashes} reports in all`);
    for (const bug of bugs) {
      const { path } = await ask(`/v1/bugs/${bug.id}`);
      const state = bug.state === 'growing' ? `growing: step ${bug.iteration}` : bug.state;
      console.log(`  ${bug.exception} at ${bug.site?.file}:${bug.site?.line}  ${state}, ${bug.functions} functions, ${path.length} labels, ${bug.count} reports`);
    }
    if (bugs.length > 0 && bugs.every((bug) => bug.state === 'found' || bug.state === 'off')) break;
  }
  for (const bug of bugs) await showPath(url, operatorKey, bug, ask);
  return bugs.length > 0 && bugs.every((bug) => bug.state === 'found');
}

async function runOnce(user, url, key) {
  const child = spawn(process.execPath, ['--require', resolve(options.agent), program], {
    cwd: dirname(program),
    stdio: 'ignore',
    timeout: LONGEST_RUN,
    env: {
      ...process.env,
      SEED: String(user + 1),
      WHEREFORE_AGENT_URL: url,
      WHEREFORE_AGENT_KEY: key,
      WHEREFORE_AGENT_RELEASE: RELEASE,
      WHEREFORE_AGENT_ROOT: dirname(program),
      WHEREFORE_AGENT_CACHE: join(folder, `user-${user}`),
      WHEREFORE_AGENT_REFRESH: '0',
      WHEREFORE_AGENT_JITTER: '0',
    },
  });
  const [code] = await once(child, 'exit');
  return code;
}

// Reports are sent by processes of their own, and analysed a moment later.
async function after(nReports, bugs) {
  const end = Date.now() + LONGEST_REPORT;
  for (;;) {
    const found = await bugs();
    const nCounted = found.reduce((sum, bug) => sum + bug.count, 0);
    if (nCounted >= nReports || Date.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function inParallel(n, run) {
  const results = new Array(n);
  let next = 0;
  const worker = async () => {
    while (next < n) {
      const number = next++;
      results[number] = await run(number);
    }
  };
  await Promise.all(cpus().map(worker));
  return results;
}

async function showPath(url, key, bug, ask) {
  const files = new Set((await ask(`/v1/bugs/${bug.id}`)).path.map(({ step }) => (step.site ?? step.function ?? step.registered_at)?.file));
  for (const file of files) {
    const source = [file, join('node_modules', file ?? '')].map((name) => join(dirname(program), name ?? '')).find((path) => file && existsSync(path));
    if (source === undefined || !source.endsWith('js')) continue;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/javascript' };
    await fetch(`${url}/v1/releases/${RELEASE}/maps/${file}`, { method: 'PUT', headers, body: readFileSync(source) });
  }
  const { path, complete } = await ask(`/v1/bugs/${bug.id}`);
  console.log(`\n${bug.exception} at ${bug.site?.file}:${bug.site?.line}, ${complete ? 'complete' : 'not complete'}:`);
  for (const { step, source } of path) {
    const place = step.site ?? step.function ?? step.registered_at;
    const where = place === undefined ? '' : `${place.file}:${place.line}`;
    const taken = step.label === 'branch' ? ` ${step.taken}` : '';
    console.log(`  ${`${step.label}${taken}`.padEnd(13)} ${where.padEnd(24)} ${source?.text?.trim() ?? ''}`);
  }
}

async function listening(child) {
  const lines = createInterface({ input: child.stderr });
  for await (const line of lines) {
    const found = /http:\/\/\S+/.exec(line);
    if (found) return found[0];
  }
  throw new Error('wherefore collect does not listen');
}

async function makeKey(kind) {
  const child = spawn(options.wherefore, ['collect', 'key', 'add', 'crowd', ...kind, '--data', data], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const part of child.stdout) text += part;
  return text.trim();
}
