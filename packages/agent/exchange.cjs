// The process that talks to the server: sends a report of a crash, or those that an earlier crash left, and asks for the policy. It is
// started by the agent, is no part of the program, and ends by itself after a few seconds, whatever the server does.
//
// What it is to do comes as JSON, on stdin or in the environment: { settings, entry, report, file }.
'use strict';
const fs = require('fs');
const path = require('path');
const crypto = require('crypto');

const LONGEST_MS = 10_000;
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
  const job = JSON.parse(env.WHEREFORE_AGENT_JOB ?? fs.readFileSync(0, 'utf8'));
  const { settings } = job;
  const release = settings.release ?? versionOf(settings.root ?? rootOf(job.entry));
  const cache = readCache(settings.cache);
  const isStart = job.report === undefined;
  const send = (report) => post(settings, JSON.stringify({ ...report, release, cohort: cache.cohort }));
  if (isStart) await after(Math.random() * Number(settings.jitter ?? JITTER_MS));
  setTimeout(() => process.exit(), LONGEST_MS).unref();
  if (isStart) await sendSpooled(settings.spool, send);
  else if (FINAL.has(await send(job.report)) && job.file !== undefined) fs.rmSync(job.file, { force: true });
  if (!isStart && settings.cache === undefined) return;
  if (!isStart) await after(DIGESTION_MS);
  const policy = await get(settings, release, cache);
  if (policy === undefined) return;
  if (settings.cache === undefined) process.stdout.write(policy.text);
  else writeWhole(settings.cache, `${cache.cohort}\n${policy.etag}\n${policy.text}`);
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
