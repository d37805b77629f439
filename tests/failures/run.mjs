// node run.mjs [--wherefore BIN] [--node BIN] [--only NAME,…] [--verbose]
// Records the tests of small projects under their runners, and compares what is said of them with expected.txt beside each: how each test
// ended; which failed, once each, with title and line, in the order of the runner; and where the failure is explained.
// UPDATE=1 writes expected.txt; a person reads the difference.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { removeFolder } from '../shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../../target/release/wherefore') },
  node: { type: 'string', default: process.execPath },
  target: { type: 'string', default: path.join(here, '../../target/failures') },
  only: { type: 'string' },
  verbose: { type: 'boolean', default: false },
} });
const COMMANDS = {
  mocha: ['mocha', '*.test.js'],
  'mocha-parallel': ['mocha', '--parallel', '--jobs=2', '*.test.js'],
  jest: ['jest', '--runInBand'],
  'jest-workers': ['jest', '--maxWorkers=2'],
  node: ['node', '--test', '--test-concurrency=2'],
  'node-alone': ['node', 'cart.test.js'],
  vitest: ['vitest', 'run'],
  ava: ['ava'],
  tap: ['tap', '--disable-coverage', 'cart.test.js', 'stock.test.js'],
  jasmine: ['jasmine', '--config=jasmine.json'],
  playwright: ['playwright', 'test'],
  passing: ['mocha', '*.test.js'],
  // Files that share their tests, and a test that starts a program which fails.
  'shared/node': ['node', '--test'],
  // An assertion that throws nothing, and prints before the next line comes: the call that is wrong is one of its arguments.
  'inside/tap': ['tap', '--disable-coverage', 'cart.test.js'],
  // Hooks that fail.
  'hooks/mocha': ['mocha', '*.test.js'],
  'hooks/jest': ['jest', '--runInBand'],
  'hooks/node': ['node', '--test'],
  'hooks/vitest': ['vitest', 'run'],
  'hooks/ava': ['ava'],
  'hooks/tap': ['tap', '--disable-coverage', 'hooks.test.js'],
  'hooks/jasmine': ['jasmine', '--config=jasmine.json'],
  'hooks/playwright': ['playwright', 'test'],
  // Files that cannot be parsed, that ask for one that cannot, and that throw.
  'loading/mocha': ['mocha', '*.test.js'],
  'loading/mocha-prices': ['mocha', 'prices.test.js'],
  'loading/mocha-throws': ['mocha', 'throws.test.js'],
  'loading/jest': ['jest', '--runInBand'],
  'loading/node': ['node', '--test'],
  'loading/vitest': ['vitest', 'run'],
  'loading/ava': ['ava'],
  'loading/tap': ['tap', '--disable-coverage', 'broken.test.js', 'prices.test.js', 'throws.test.js'],
  'loading/jasmine': ['jasmine', '--config=jasmine.json'],
  'loading/jasmine-throws': ['jasmine', '--config=jasmine.json', 'spec/throws.spec.js'],
  'loading/playwright': ['playwright', 'test'],
  // Tests that run out of time, beside one that only speaks of it.
  'slow/mocha': ['mocha', '--timeout=60', '*.test.js'],
  'slow/jest': ['jest', '--runInBand'],
  'slow/node': ['node', '--test'],
  'slow/vitest': ['vitest', 'run', '--testTimeout=60'],
  'slow/ava': ['ava'],
  'slow/tap': ['tap', '--disable-coverage', 'slow.test.js'],
  'slow/jasmine': ['jasmine', '--config=jasmine.json'],
  'slow/playwright': ['playwright', 'test'],
  // All tests pass, and the command fails.
  'ended/lint': ['npm', 'test'],
  'ended/coverage': ['jest', '--coverage', '--coverageThreshold={"global":{"lines":100}}'],
  'ended/late': ['vitest', 'run'],
  'ended/late-ignored': ['vitest', 'run', '--dangerouslyIgnoreUnhandledErrors'],
  'ended/own': ['sh', '-c', 'mocha *.test.js && node after.js'],
};
// Where several processes run files side by side, which file is done first is not the same in every run: the order is that within each file.
const BY_FILE = ['mocha-parallel', 'jest-workers', 'vitest', 'ava', 'tap', 'hooks/vitest', 'hooks/ava', 'loading/vitest', 'loading/jest', 'loading/ava', 'loading/tap'];
const folderOf = (name) => name.replace(/-.*/, '');

install();
const only = options.only?.split(',');
let different = 0;
for (const name of Object.keys(COMMANDS)) if (!only || only.includes(name)) check(name);
console.log(`${different} different`);
process.exit(different ? 1 : 0);

function install() {
  const files = ['package.json', 'package-lock.json'];
  const wanted = files.map((file) => fs.readFileSync(path.join(here, file), 'utf8')).join('');
  const done = path.join(options.target, 'installed');
  if (fs.existsSync(done) && fs.readFileSync(done, 'utf8') === wanted) return;
  removeFolder(options.target);
  fs.mkdirSync(options.target, { recursive: true });
  for (const file of files) fs.copyFileSync(path.join(here, file), path.join(options.target, file));
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--legacy-peer-deps', '--loglevel=error'];
  const result = spawnSync('npm', ['install', ...flags], { cwd: options.target, encoding: 'utf8' });
  if (result.status === 0) return fs.writeFileSync(done, wanted);
  console.log(`the runners cannot be installed here: ${`${result.stderr}`.trim().split('\n')[0]}`);
  process.exit(0);
}

function check(name) {
  const source = path.join(here, 'cases', folderOf(name));
  const folder = path.join(options.target, 'work', name);
  removeFolder(folder);
  fs.cpSync(source, folder, { recursive: true });
  const [program, ...args] = COMMANDS[name];
  const recorded = wherefore(folder, ['record', '--', program, ...args]);
  const said = [...tests(folder, name), '', ...failures(folder, name), '', ...why(folder, name)].join('\n') + '\n';
  const expected = path.join(here, 'cases', `${name}.txt`);
  const known = fs.existsSync(expected) ? fs.readFileSync(expected, 'utf8') : '';
  if (process.env.UPDATE === '1') fs.writeFileSync(expected, said);
  else if (said !== known) {
    different++;
    console.log(`--- ${name}: expected\n${known}--- but it was\n${said}`);
  }
  if (options.verbose) console.log(`--- ${name}\n${recorded.stdout}${recorded.stderr}\n${said}`);
  else console.log(`${name}: ${said === known ? 'as expected' : 'different'}`);
}

function tests(folder, name) {
  const run = path.join(folder, '.wherefore/runs/1');
  const file = path.join(run, 'tests.txt');
  const byTest = new Map();
  const [unreported, unconfirmed] = [new Map(), new Map()];
  for (const line of fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trimEnd().split('\n') : []) {
    const [pid, thread, number, ended, of, , , first, , , , , , , key = '', ...titles] = line.split('\t');
    const [outcome] = ended.split(':');
    const told = { file: path.relative(folder, of), text: `${outcome}  ${[path.relative(folder, of), ...titles].join(' > ')}` };
    const ran = `${pid} ${thread} ${number}`;
    // Who runs the others tells when a test is reported, and the process that ran it how it ended.
    if (key.startsWith('-')) byTest.delete(key.slice(1));
    else if (key.startsWith('?')) {
      if (first !== '') unconfirmed.set(key, told);
      else byTest.set(key, unconfirmed.get(key) ?? told);
    } else if (key.startsWith('~') && first === '') {
      const test = unreported.get(key)?.shift() ?? ran;
      const known = byTest.get(test) ?? told;
      byTest.delete(test);
      byTest.set(test, known);
    } else if (key.startsWith('~')) {
      if (!byTest.has(ran)) unreported.set(key, [...(unreported.get(key) ?? []), ran]);
      byTest.set(ran, told);
    } else {
      const known = first === '' ? byTest.get(key || ran) : undefined;
      if (known !== undefined) byTest.delete(key || ran);
      byTest.set(key || ran, known ?? told);
    }
  }
  return ordered([...byTest.values()], name);
}

function failures(folder, name) {
  const { stdout, stderr } = wherefore(folder, ['failures', '--format', 'json']);
  if (stdout === '') return [stderr.trim()];
  const { answer } = JSON.parse(stdout);
  const said = ({ number, message, point, test }) => {
    const told = !test ? 'no test' : test.titles.length === 0 ? test.title : `${test.title} (${test.file}:${test.line ?? '?'})`;
    const at = point.point || point.column ? `at ${point.file}:${point.line}` : 'not recorded';
    const first = message.split('\n')[0].replaceAll(folder, '').replace('JestAssertionError', 'Error');
    return { file: test?.file ?? '', text: `${BY_FILE.includes(name) ? '' : `${number}. `}${told}; ${at}; ${first}` };
  };
  const text = wherefore(folder, ['failures']).stdout;
  const slowed = text.split('\n').filter((line) => line.includes('may have failed only')).map((line) => line.trim().replace(/took \d+ ms/, 'took …'));
  return [...ordered((answer.failures ?? []).map(said), name), ...slowed];
}

function ordered(all, name) {
  const byFile = BY_FILE.includes(name) ? [...all].sort((one, other) => (one.file < other.file ? -1 : one.file > other.file ? 1 : 0)) : all;
  return byFile.map(({ text }) => text);
}

// What is explained, the first place of the chain, and the end.
function why(folder, name) {
  const { stdout, stderr, status } = wherefore(folder, ['why', '--format', 'json']);
  if (stdout === '') return [`${plain(stderr.trim())} (${status})`];
  const { answer } = JSON.parse(stdout);
  if (!answer.chain) return [`${plain(answer.text ?? JSON.stringify(answer))} (${status})`];
  const text = wherefore(folder, ['why']).stdout.trimEnd();
  // Which of them ended first is then not the same in every run.
  if (BY_FILE.includes(name)) return [text.split('\n').at(-1).replace(/: .*/, '')];
  const isNamed = text.includes('return sum + 1');
  return [`why: ${answer.failure.test?.title}${isNamed ? '; names the cause' : ''}`, text.split('\n').at(-1)];
}

// What is the same on every machine.
function plain(text) {
  return text.replace(/process \d+/, 'process …').replace(/took \d+ ms/, 'took …').replaceAll(path.resolve(options.target), '');
}

function wherefore(folder, args) {
  const bin = path.join(options.target, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${path.dirname(options.node)}:${bin}:${process.env.PATH}`, CI: '1', NO_COLOR: '1', COLUMNS: '200' };
  delete env.NODE_OPTIONS;
  return spawnSync(options.wherefore, args, { cwd: folder, encoding: 'utf8', env, timeout: 120_000, maxBuffer: 64 << 20 });
}
