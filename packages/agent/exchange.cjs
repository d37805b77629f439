// The process that talks to the server: has the report of a crash made and sends it, or sends those that an earlier crash left, and asks
// for the policy. It is started by the agent, is no part of the program, and ends by itself after a few seconds, whatever the server does.
//
// What it is to do comes as JSON in the environment: { settings, entry, isCrash }. What is known of a crash is its standard input, which
// it hands on to a process with the engine: if that one fails, there is still a report, which says so.
'use strict';
const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');
const crypto = require('crypto');

const LONGEST_MS = 10_000;
// The engine ends by itself before that.
const LONGEST_MAKING_MS = 7000;
const LARGEST_REPORT = 4 << 20;
const JITTER_MS = 10_000;
// The server has to look at the report before its policy can be another.
const DIGESTION_MS = 500;
const LARGEST_POLICY = 1 << 20;
const MOST_SPOOLED = 4;
const COHORTS = 1000;
// Sending these again would change nothing.
const FINAL = new Set([200, 202, 400, 409, 413, 415, 422]);

// The end of the program's control group, or of its terminal, is not our end.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
process.on('uncaughtException', () => process.exit(1));
main();

async function main() {
  const { env } = process;
  const { settings, entry, isCrash } = JSON.parse(env.WHEREFORE_AGENT_JOB);
  const report = isCrash ? madeReport() : undefined;
  if (isCrash && report === undefined) return;
  const file = isCrash ? spool(settings.spool, report) : undefined;
  const release = settings.release ?? versionOf(settings.root ?? rootOf(entry));
  const cache = readCache(settings.cache);
  const isStart = !isCrash;
  const send = (report) => post(settings, JSON.stringify({ ...report, release, cohort: cache.cohort }));
  if (isStart) await after(Math.random() * Number(settings.jitter ?? JITTER_MS));
  setTimeout(() => process.exit(), LONGEST_MS).unref();
  if (isStart) await sendSpooled(settings.spool, send);
  else if (FINAL.has(await send(report)) && file !== undefined) fs.rmSync(file, { force: true });
  if (!isStart && settings.cache === undefined) return;
  if (!isStart) await after(DIGESTION_MS);
  const policy = await get(settings, release, cache);
  if (policy === undefined) return;
  if (settings.cache === undefined) process.stdout.write(policy.text);
  else writeWhole(settings.cache, `${cache.cohort}\n${policy.etag}\n${policy.text}`);
}

// Nothing if the crash was not in the program. Each whole line is a report that knows more than the one before it, and the first one says
// that the path is lost, which is so if there is no other.
function madeReport() {
  const inside = path.join(__dirname, 'runtime');
  const folder = fs.existsSync(inside) ? inside : path.join(__dirname, '../runtime');
  const { stdout } = spawnSync(path.join(folder, 'wherefore-report'), [], {
    stdio: [0, 'pipe', 'ignore'],
    env: {},
    timeout: LONGEST_MAKING_MS,
    killSignal: 'SIGKILL',
    maxBuffer: LARGEST_REPORT,
  });
  const lines = String(stdout ?? '').split('\n').slice(0, -1);
  return lines.length === 0 ? undefined : JSON.parse(lines.at(-1));
}

// Keeps the report until somebody took it. Older ones make room.
function spool(folder, report) {
  if (folder === undefined) return undefined;
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const names = fs.readdirSync(folder).filter((name) => name.endsWith('.report'));
    const kept = names.map((name) => path.join(folder, name)).map((name) => ({ name, ms: fs.statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
    kept.sort((a, b) => b.ms - a.ms);
    for (const { name } of kept.slice(MOST_SPOOLED - 1)) fs.rmSync(name, { force: true });
    const file = path.join(folder, `${report.id}.report`);
    writeWhole(file, JSON.stringify(report));
    // The program waits for this moment.
    fs.writeSync(1, '\n');
    return file;
  } catch {
    return undefined;
  }
}

// One try each, and none after one that failed.
async function sendSpooled(folder, send) {
  if (folder === undefined) return;
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.report')).sort() : [];
  for (const name of names.slice(0, MOST_SPOOLED)) {
    const file = path.join(folder, name);
    let report;
    try {
      report = JSON.parse(fs.readFileSync(file, 'utf8'));
    } catch {
      fs.rmSync(file, { force: true });
      continue;
    }
    if (!FINAL.has(await send(report))) return;
    fs.rmSync(file, { force: true });
  }
}

async function post(settings, body) {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const answer = await request(settings, 'POST', 'v1/reports', headers, body);
  return answer?.status;
}

// The policy if there is a new one; its text is empty if it names nothing.
async function get(settings, release, cache) {
  const headers = cache.etag === '' ? {} : { 'if-none-match': cache.etag };
  const answer = await request(settings, 'GET', `v1/policy?release=${encodeURIComponent(release)}&cohort=${cache.cohort}`, headers);
  if (answer?.status !== 200) return undefined;
  const etag = /^[\x21-\x7e]{1,256}$/.test(answer.headers.etag ?? '') ? answer.headers.etag : '';
  return { etag, text: namesSomething(answer.body) ? answer.body : '' };
}

// Whether it is a policy at all, the addon says: what is not is none.
function namesSomething(text) {
  try {
    const policy = JSON.parse(text);
    return Array.isArray(policy.files) && policy.files.length > 0;
  } catch {
    return false;
  }
}

// Nothing but an answer counts; redirections are not followed, as the key is for this server alone.
function request({ url, key }, method, name, headers, body) {
  return new Promise((resolve) => {
    const target = new URL(name, url.endsWith('/') ? url : `${url}/`);
    const { request: begin } = require(target.protocol === 'https:' ? 'https' : 'http');
    const options = { method, headers: { authorization: `Bearer ${key}`, ...headers }, timeout: LONGEST_MS, agent: false };
    const sent = begin(target, options, (answer) => {
      const parts = [];
      let length = 0;
      answer.on('data', (part) => {
        length += part.length;
        if (length > LARGEST_POLICY) sent.destroy(new Error('too large'));
        else parts.push(part);
      });
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts).toString() }));
      answer.on('error', () => resolve(undefined));
      answer.on('aborted', () => resolve(undefined));
    });
    sent.on('error', () => resolve(undefined));
    sent.on('timeout', () => sent.destroy(new Error('timeout')));
    sent.end(body);
  });
}

function readCache(file) {
  try {
    const [cohort, etag] = fs.readFileSync(file, 'utf8').split('\n', 2);
    if (/^\d{1,3}$/.test(cohort)) return { cohort: Number(cohort), etag: etag ?? '' };
  } catch {
    // There is none yet.
  }
  return { cohort: crypto.randomInt(COHORTS), etag: '' };
}

// The folder of the program: the nearest with a package.json, or that of the file that was started.
function rootOf(entry) {
  let start = path.dirname(entry);
  try {
    start = path.dirname(fs.realpathSync(entry));
  } catch {
    // Without its extension, perhaps.
  }
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, 'package.json'))) return folder;
    if (folder === path.dirname(folder)) return start;
  }
}

function versionOf(root) {
  try {
    const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
    return /^[0-9A-Za-z][0-9A-Za-z._+-]{0,99}$/.test(version) ? version : '0';
  } catch {
    return '0';
  }
}

function writeWhole(file, text) {
  const unfinished = `${file}.${process.pid}.new`;
  fs.writeFileSync(unfinished, text, { mode: 0o600 });
  fs.renameSync(unfinished, file);
}

function after(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
