// node watch.mjs [--wherefore BIN] [--node BIN] [--only NAME,…]
// Runners that watch files, each in a terminal as a person starts it: the answer of `why` comes after the first round of tests, the runner goes
// on, a change of a file begins another round, and Ctrl-C ends both. Needs the program `script`, and what run.mjs installs.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { removeFolder } from '../shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../../target/release/wherefore') },
  node: { type: 'string', default: process.execPath },
  target: { type: 'string', default: path.join(here, '../../target/failures') },
  only: { type: 'string' },
} });
// The command, and what it prints when a round is over.
const COMMANDS = {
  mocha: { command: 'mocha --watch *.test.js', over: /\d+ failing/ },
  jest: { command: 'jest --watchAll --runInBand', over: /Ran all test suites/ },
  vitest: { command: 'vitest', over: /Waiting for file changes|Watching for file changes/ },
  node: { command: 'node --test --watch', over: /duration_ms \d/ },
};
const OVER = 'the tests are over, and the command goes on; Ctrl-C ends it';
const MOST_SECONDS = 60;
// A test that waits for longer than a guess would, and then fails.
const LONG = 4000;

async function problemOf(name, command, over) {
  const folder = path.join(options.target, 'work/watch', name);
  removeFolder(folder);
  fs.cpSync(path.join(here, 'cases/watch', name), folder, { recursive: true });
  const file = path.join(folder, 'cart.test.js');
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('LONG', `${LONG}`));
  const terminal = new Terminal(`${options.wherefore} why -- ${command}`, folder);
  try {
    const isOver = await terminal.until((text) => text.includes(OVER));
    if (!isOver) return `no answer came\n${terminal.text}`;
    const [before] = terminal.text.split(OVER);
    if (!over.test(before)) return `the answer came before the end of the round\n${terminal.text}`;
    // The last of the tests is the slow one, and it failed: an answer that does not know of it came too early.
    if (!/1 more test failed/.test(before) || !/adds up the lines/.test(before)) return `the answer is not that of the whole round\n${terminal.text}`;
    const n = terminal.text.length;
    fs.appendFileSync(file, '// changed\n');
    if (!(await terminal.until((text) => over.test(text.slice(n))))) return `the runner did not go on\n${terminal.text.slice(n)}`;
    if (terminal.text.split(OVER).length !== 2) return `the answer came twice\n${terminal.text}`;
    terminal.press('\x03');
    if (!(await terminal.end())) return `Ctrl-C did not end it\n${terminal.text}`;
    const left = processesIn(folder);
    if (left.length > 0) return `it left processes behind: ${left.join(' ')}`;
    return undefined;
  } finally {
    terminal.kill();
    for (const pid of processesIn(folder)) process.kill(pid, 'SIGKILL');
  }
}

class Terminal {
  constructor(command, folder) {
    const bin = path.join(options.target, 'node_modules/.bin');
    const env = { ...process.env, PATH: `${path.dirname(options.node)}:${bin}:${process.env.PATH}`, NO_COLOR: '1', TERM: 'xterm', COLUMNS: '200' };
    for (const name of ['NODE_OPTIONS', 'CI', 'NODE_TEST_CONTEXT']) delete env[name];
    this.text = '';
    this.isOver = false;
    this.script = spawn('script', ['-qfec', command, '/dev/null'], { cwd: folder, env });
    this.script.stdout.on('data', (data) => (this.text += plain(`${data}`)));
    this.ended = new Promise((resolve) => this.script.on('close', () => resolve((this.isOver = true))));
  }

  async until(holds) {
    for (let waited = 0; waited < MOST_SECONDS * 10 && !this.isOver; waited++) {
      if (holds(this.text)) return true;
      await sleep(100);
    }
    return holds(this.text);
  }

  press(key) {
    this.script.stdin.write(key);
  }

  end() {
    return Promise.race([this.ended, sleep(15_000, false)]);
  }

  kill() {
    if (!this.isOver) this.script.kill('SIGKILL');
  }
}

function plain(text) {
  return text.replace(/\x1b\[[0-9;?]*[A-Za-z]|\x1b[()=>][0-9A-B]?/g, '').replaceAll('\r', '');
}

// Those that were started in a folder, but for this one.
function processesIn(folder) {
  return fs.readdirSync('/proc').filter((pid) => /^\d+$/.test(pid)).map(Number).filter((pid) => {
    try {
      return pid !== process.pid && fs.readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

if (process.platform !== 'linux' || spawnSync('script', ['--version']).status !== 0) {
  console.log('not tried: there is no program `script` here');
  process.exit(0);
}
let different = 0;
for (const [name, { command, over }] of Object.entries(COMMANDS)) {
  if (options.only && !options.only.split(',').includes(name)) continue;
  const problem = await problemOf(name, command, over);
  if (problem !== undefined) different++;
  console.log(`${name} that watches: ${problem ?? 'as expected'}`);
}
console.log(`${different} different`);
process.exit(different ? 1 : 0);
