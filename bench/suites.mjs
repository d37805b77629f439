// node suites.mjs --trees DIR [--wherefore BIN] [--only ID,ID] [--seen | --unseen] [--verbose]
// Failing tests of real projects (suites/bugs.json): where `wherefore why` says that the failure starts, whether that and the message are
// those of the failed test, and how far down its chain the lines are that the fix changed. suites/README.md says what DIR must hold.
// Those that were not looked at while rules were written are reported apart.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { expectedStart, isStart } from './suites/start.mjs';
import { bugs, isUnseen, treeOf } from './suites/trees.mjs';
import { removeFolder } from '../tests/shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../target/release/wherefore') },
  trees: { type: 'string' },
  only: { type: 'string' },
  seen: { type: 'boolean' },
  unseen: { type: 'boolean' },
  verbose: { type: 'boolean' },
} });
const NEAR = 2;
const only = options.only?.split(',');
const wanted = bugs.filter(({ id }) => !only || only.includes(id));
const isGood = [
  options.unseen || table('failing test', wanted.filter((bug) => !isUnseen(bug))),
  options.seen || table('failing test, unseen', wanted.filter(isUnseen)),
].every(Boolean);
process.exit(isGood ? 0 : 1);

function table(title, chosen) {
  if (chosen.length === 0) return true;
  console.log(`| ${title} | kind | starts at | right | message | hop of the truth | after the failure | seconds | |`);
  console.log('|---|---|---|---|---|---|---|---|---|');
  const rows = chosen.map((bug) => {
    const row = measured(bug);
    console.log(`| ${bug.id} | ${bug.kind} | ${row.start ?? '–'} | ${tick(row.isRight)} | ${tick(row.hasMessage)} | ${row.hop ?? '–'} | ${row.n_after ?? '–'} | ${row.seconds?.toFixed(1) ?? '–'} | ${row.problem ?? ''} |`);
    return row;
  });
  const count = (what) => rows.filter(what).length;
  const [n_starts, n_messages] = [count((r) => r.isRight), count((r) => r.hasMessage)];
  const sums = [[n_starts === rows.length, `starts right: ${n_starts} of ${rows.length} (limit: all)`],
    [n_messages === rows.length, `messages right: ${n_messages} of ${rows.length} (limit: all)`],
    [true, `truth within 5, 10, 20 hops: ${[5, 10, 20].map((n) => count((r) => r.hop <= n)).join(', ')}`]];
  console.log(`\n${sums.map(([isKept, text]) => (isKept ? text : `**${text}**`)).join('; ')}\n`);
  return sums.every(([isKept]) => isKept);
}

function tick(truth) {
  return truth ? 'yes' : '**no**';
}

function measured(bug) {
  const folder = treeOf(bug, options.trees);
  if (folder === undefined) return { problem: 'there is no such tree' };
  const plain = spawnSync(bug.test[0], bug.test.slice(1), { cwd: folder, encoding: 'utf8', timeout: 60_000 });
  const output = plain.stdout + plain.stderr;
  const expected = expectedStart(folder, bug, output);
  removeFolder(path.join(folder, '.wherefore'));
  const started = process.hrtime.bigint();
  const asked = why(folder, ['--', ...bug.test]);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  const answer = read(asked);
  const whole = read(why(folder, ['--all']))?.chain ?? [];
  if (!options.verbose) removeFolder(path.join(folder, '.wherefore'));
  if (!answer?.chain?.length) return { seconds, problem: problemOf(asked) };
  const chain = answer.chain.map((hop) => hop.point ?? {});
  const [first] = chain;
  const isRight = isStart(folder, first, expected);
  const message = answer.failure?.message ?? '';
  return {
    seconds, isRight, start: `${first.file}:${first.line}`, hasMessage: isIn(output, message),
    hop: position(chain, bug) ?? position(whole.map((hop) => hop.point ?? {}), bug, chain.length),
    n_after: chain.filter((hop) => hop.thread === first.thread && hop.event > first.event).length,
    problem: isRight ? undefined : `it is ${expected.file}:${expected.line}${expected.end ? `–${expected.end}` : ''}`,
  };
}

function why(folder, more) {
  return spawnSync(options.wherefore, ['why', '--format', 'json', ...more], { cwd: folder, encoding: 'utf8', timeout: 600_000, maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });
}

function read({ stdout }) {
  try {
    return JSON.parse(stdout).answer;
  } catch {
    return undefined;
  }
}

function problemOf({ status, signal, stdout, stderr }) {
  return `exit ${status ?? signal}: ${read({ stdout })?.text ?? (stderr ?? '').trim().split('\n').at(-1)}`;
}

// Runners print the message of an error with or without its name, and break and indent it in their own ways.
function isIn(output, message) {
  const bare = (text) => text.replace(/\u001b\[\d*m/g, '').replace(/\s+/g, '');
  const words = bare(message.replace(/^(?:Uncaught )?[\w$]*(?:Error|Exception)(?: \[\w+\])?: /, '').split('\n')[0].slice(0, 200));
  return words !== '' && bare(output).includes(words);
}

// From 1; what the chain as it is shown did not name comes behind it.
function position(points, { truth }, shown = 0) {
  const isNear = ({ file, line }) => truth.some((it) => file?.endsWith(it.file) && it.lines.some((known) => Math.abs(known - line) <= NEAR));
  const at = points.findIndex(isNear);
  return at < 0 ? undefined : Math.max(at, shown) + 1;
}
