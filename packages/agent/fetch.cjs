// Asks the server for the policy, in a process of its own: a request would keep the program from ending, and could be seen by it.
'use strict';
const fs = require('fs');
const { spawn } = require('child_process');
const { isMainThread } = require('worker_threads');

const LARGEST_POLICY = 1 << 20;
// What the way to the server may depend on. Nothing else of the environment is handed on, and so no preload.
const KEPT = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'LANG', 'TZ'];

// The next start finds it in the file.
function intoFile(settings) {
  if (!isMainThread) return;
  // From now on the file is new, so that others who start at the same time leave it to us.
  touch(settings.cache);
  begin(settings, 'ignore').unref();
}

// `use` is given the policy if there is one.
function intoMemory(settings, use) {
  if (!isMainThread) return;
  const child = begin(settings, 'pipe');
  const parts = [];
  let length = 0;
  child.stdout.on('data', (part) => {
    length += part.length;
    if (length <= LARGEST_POLICY) parts.push(part);
  });
  child.stdout.on('end', () => {
    if (length === 0 || length > LARGEST_POLICY) return;
    try {
      use(Buffer.concat(parts).toString());
    } catch {
      // Idle, then.
    }
  });
  child.stdout.on('error', () => {});
  child.stdout.unref();
  child.unref();
}

module.exports = { intoFile, intoMemory };

function begin(settings, output) {
  const env = { WHEREFORE_AGENT_JOB: JSON.stringify({ settings, entry: process.argv[1] ?? '' }) };
  for (const name of KEPT) if (process.env[name] !== undefined) env[name] = process.env[name];
  const child = spawn(process.execPath, [`${__dirname}/exchange.cjs`], { detached: true, stdio: ['ignore', output, 'ignore'], env, cwd: '/' });
  child.on('error', () => {});
  return child;
}

function touch(file) {
  const now = new Date();
  try {
    fs.utimesSync(file, now, now);
  } catch {
    fs.closeSync(fs.openSync(file, 'a', 0o600));
  }
}
