// A server in this process, and programs that run under the agent.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../shared/recorded.mjs';

export const REGISTER = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../packages/agent/register.cjs');
export const NODE = process.env.WHEREFORE_NODE ?? process.execPath;
export const KEY = 'key-of-the-test';

// Longer than anything may take on a busy machine; nothing waits so long unless it fails.
const LONGEST_MS = 30_000;

// A program in a folder of its own: { 'main.js': text, … }.
export function program(t, files) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-agent-')));
  t.after(() => removeFolder(folder));
  for (const [name, text] of Object.entries({ 'package.json': '{"name":"shop","version":"1.2.3"}', ...files })) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

// Answers as `answer(request, response, body)` does, by default as the real one: it takes reports, and has no policy.
export async function server(t, answer = takes) {
  const requests = [];
  const waiting = [];
  const listening = http.createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('error', () => {});
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      const seen = { method: request.method, url: request.url, headers: request.headers, body };
      requests.push(seen);
      for (const wait of waiting.splice(0)) wait();
      answer(seen, response);
    });
  });
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  t.after(() => {
    listening.closeAllConnections();
    listening.close();
  });
  const url = `http://127.0.0.1:${listening.address().port}`;
  const is = (method) => (request) => request.method === method;
  // The first so many requests of a method.
  const first = async (method, n = 1) => {
    for (const end = Date.now() + LONGEST_MS; requests.filter(is(method)).length < n;) {
      if (Date.now() > end) throw new Error(`${requests.filter(is(method)).length} of ${n} requests ${method} came`);
      await Promise.race([new Promise((resolve) => waiting.push(resolve)), new Promise((resolve) => setTimeout(resolve, 100))]);
    }
    return requests.filter(is(method)).slice(0, n);
  };
  return {
    url,
    requests,
    first,
    reports: async (n = 1) => (await first('POST', n)).map((request) => JSON.parse(request.body)),
  };
}

export function takes(request, response) {
  if (request.method === 'POST') response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"accepted"}');
  else response.writeHead(200, { etag: '"none"' }).end('{"version":1,"id":"00000000-0000000000000000","labels":4096,"files":[],"bugs":[]}');
}

// Runs `main.js` of a folder, plain if there is no agent. `agent` are its settings.
export async function run(folder, { agent, register = REGISTER, preload = '--require', flags = [], args = [], main = 'main.js', env = {} } = {}) {
  const settings = Object.entries(agent ?? {}).map(([name, value]) => [`WHEREFORE_AGENT_${name.toUpperCase()}`, String(value)]);
  const ours = agent === undefined ? [] : [`${preload}=${register}`];
  const plainEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'NODE_OPTIONS' && !name.startsWith('WHEREFORE_')));
  const started = Date.now();
  const child = spawn(NODE, [...ours, ...flags, main, ...args], {
    cwd: folder,
    env: { ...plainEnv, ...env, ...Object.fromEntries(settings) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = ['', ''];
  child.stdout.on('data', (part) => (texts[0] += part));
  child.stderr.on('data', (part) => (texts[1] += part));
  const [code, signal] = await once(child, 'close');
  const withoutPid = (text) => text.replace(/\(node:\d+\)/g, '(node:PID)');
  return { stdout: texts[0], stderr: withoutPid(texts[1]), end: code ?? signal, ms: Date.now() - started };
}

// The agent with a cache that is new, so that nothing is asked for at the start.
export function idle(folder, url, more = {}) {
  const cache = path.join(folder, 'policy.cache');
  if (!fs.existsSync(cache)) fs.writeFileSync(cache, '7\n"none"\n');
  return { url, key: KEY, cache, refresh: 1e6, jitter: 0, ...more };
}

// A policy that names these functions.
export const POLICY_ID = '00000000-0123456789abcdef';
export function policyOf(functions) {
  const byFile = {};
  for (const { file, function: key } of functions) (byFile[file] ??= new Set()).add(key);
  const files = Object.entries(byFile).map(([file, keys]) => ({ file, functions: [...keys] }));
  return JSON.stringify({ version: 1, id: POLICY_ID, labels: 4096, files, bugs: [] });
}

// For a server: reports are taken, and the policy in the file stays as it is.
export const unchanged = (request, response) => response.writeHead(request.method === 'POST' ? 202 : 304).end();

export const outcome = ({ stdout, stderr, end }) => ({ stdout, stderr, end });

// Waits for a fact.
export async function until(isSo) {
  for (const end = Date.now() + LONGEST_MS; !isSo();) {
    if (Date.now() > end) throw new Error(`not so after ${LONGEST_MS} ms: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
