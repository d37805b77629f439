// node run.mjs [--wherefore BIN] [--node BIN] [--only TEXT] [--policy POLICY] [--agent] [--plain-only] [--verbose]
// Runs every program in cases/ plain and under `wherefore record`: stdout, stderr, exit code and signal must be the same, byte for byte.
//
// A case is a file, or a folder whose main.* is started (helpers/ is none). Its first lines may say how:
//   // flags: --expose-gc          options for node
//   // args: a b                   arguments of the program
//   // stdin: some text\n          JSON escapes are understood
//   // node: >=22                  only on these versions
//   // unordered                   lines of output come in no fixed order (workers, child processes)
//   // env: NAME=value
//   // policies: all | calls       what is recorded, one after the other; everything if it says nothing
//   // all is captured            and the run says so
//   // stderr ignored             it differs from one plain run to the next
//   // expected                   plain Node cannot run it: stdout must be that of the .out file beside it, and all must be well
//
// With --agent they run under the idle agent of production (packages/agent) in the place of the recorder.
//
// known.txt lists the cases that still differ, one a line, with the reason. It should be empty.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { firstDifference, removeFolder, run as execute, summary, withoutSummary } from '../shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../../target/release/wherefore') },
  node: { type: 'string', default: process.execPath },
  only: { type: 'string' },
  policy: { type: 'string' },
  'plain-only': { type: 'boolean', default: false },
  // For a Node that the recorder does not know: the programs run as they do without it, and the run says so.
  unrecorded: { type: 'boolean', default: false },
  agent: { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  jobs: { type: 'string', default: '2' },
} });
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-programs-'));
const major = Number((await run(options.node, ['--version'], {}, '')).stdout.slice(1).split('.')[0]);
const cases = fs.readdirSync(path.join(here, 'cases')).filter((n) => n !== 'helpers' && !n.endsWith('.out')).sort().map(readCase)
  .filter((c) => (!options.only || c.name.includes(options.only)) && major >= c.atLeast);

const known = new Set(fs.readFileSync(path.join(here, options.agent ? 'known-agent.txt' : 'known.txt'), 'utf8').split('\n').map((line) => line.split(':')[0]).filter(Boolean));
let different = 0;
let n_known = 0;
let n_told = 0;
const queue = [...cases];
await Promise.all(Array.from({ length: Number(options.jobs) }, async () => {
  for (let c = queue.shift(); c; c = queue.shift()) await check(c);
}));
removeFolder(scratch);
if (options.unrecorded && n_told === 0) {
  different++;
  console.log('this Node is recorded, or nobody says that it is not: leave --unrecorded out');
}
console.log(`${cases.length} programs on Node ${major}, ${different} different, ${n_known} known to differ`);
process.exit(different ? 1 : 0);

async function check(c) {
  const command = [...c.flags, c.main, ...c.args];
  if (c.expected !== undefined && options['plain-only']) return;
  const agent = options.agent ? agentEnvironment() : {};
  const plain = (options.unrecorded ? undefined : c.expected) ?? await run(options.node, command, { ...agent, NODE_OPTIONS: '', ...c.env }, c.stdin, c.name);
  if (options.verbose) console.log(`--- ${c.name}\n${plain.stdout}${plain.stderr}[${plain.end}]`);
  if (plain.end === 'timeout') { different++; console.log(`TIMEOUT ${c.name}, plain`); return; }
  if (options['plain-only']) {
    const again = await run(options.node, command, c.env, c.stdin, c.name);
    if (outcome(c, plain) !== outcome(c, again)) { different++; console.log(`UNSTABLE ${c.name}\n${firstDifference(outcome(c, plain), outcome(c, again))}`); }
    return;
  }
  if (options.agent) {
    if (c.expected === undefined) compare(c, plain, await run(options.node, command, { ...agent, ...c.env }, c.stdin, c.name), 'under the agent');
    return;
  }
  const traces = path.join(scratch, c.name);
  for (const policy of c.policies) {
    const recorded = await run(options.wherefore, ['record', '-o', traces, '--policy', policy, '--', options.node, ...command], c.env, c.stdin, c.name);
    if (summary(recorded.stderr).includes('; Wherefore records ')) n_told++;
    if (c.isCaptured && !options.unrecorded && / not captured/.test(summary(recorded.stderr))) {
      different++;
      console.log(`NOT CAPTURED ${c.name}\n${summary(recorded.stderr)}`);
    }
    recorded.stderr = withoutSummary(recorded.stderr);
    removeFolder(traces);
    if (!compare(c, plain, recorded, `recording ${policy}`)) return;
  }
}

// False for what is known to differ.
function compare(c, plain, other, how) {
  if (outcome(c, plain) === outcome(c, other)) return true;
  if (known.has(c.name)) { n_known++; return false; }
  different++;
  console.log(`DIFFERENT ${c.name}, ${how}\n${firstDifference(outcome(c, plain), outcome(c, other))}`);
  return true;
}

// What the operator says is the program's to see: its children are to have it too.
function withoutAgent(text) {
  return options.agent ? text.replaceAll(agentEnvironment().NODE_OPTIONS, '') : text;
}

// Idle: the server is away, and the last answer is new.
function agentEnvironment() {
  const cache = path.join(scratch, 'policy.cache');
  if (!fs.existsSync(cache)) fs.writeFileSync(cache, '7\n\n');
  const register = path.join(here, '../../packages/agent/register.cjs');
  return { NODE_OPTIONS: `--require=${register}`, WHEREFORE_AGENT_URL: 'http://127.0.0.1:9', WHEREFORE_AGENT_KEY: 'key', WHEREFORE_AGENT_CACHE: cache, WHEREFORE_AGENT_REFRESH: '1000000' };
}

function readCase(entry) {
  const file = path.join(here, 'cases', entry);
  const main = fs.statSync(file).isDirectory() ? path.join(file, fs.readdirSync(file).find((n) => n.startsWith('main.') && !n.endsWith('.out'))) : file;
  const head = fs.readFileSync(main, 'utf8').split('\n').filter((l) => l.startsWith('// '));
  const say = (key) => head.find((l) => l.startsWith(`// ${key}`))?.slice(3 + key.length).trim();
  const words = (key) => say(key)?.split(' ').filter(Boolean) ?? [];
  return {
    name: entry, main: path.relative(path.join(here, 'cases'), main), flags: words('flags:'), args: words('args:'),
    stdin: JSON.parse(`"${say('stdin:') ?? ''}"`), atLeast: Number(say('node: >=') ?? 0), isCaptured: say('all is captured') !== undefined, unordered: say('unordered') !== undefined, anyStderr: say('stderr ignored') !== undefined,
    expected: say('expected') === undefined ? undefined : { stdout: fs.readFileSync(main.replace(/\.\w+$/, '.out'), 'utf8'), stderr: '', end: 0 },
    policies: options.policy ? [options.policy] : (say('policies:') ?? 'all').split('|').map((policy) => policy.trim()),
    env: Object.fromEntries(words('env:').map((pair) => pair.split('='))),
  };
}

function run(command, args, env, stdin, name = 'x') {
  const files = ['out', 'err'].map((kind) => path.join(scratch, `${name}.${kind}`));
  return execute([command, ...args], { cwd: path.join(here, 'cases'), env: { ...process.env, NODE_OPTIONS: '', ...env }, stdin, files });
}

function outcome(c, { stdout, stderr, end }) {
  const text = (t) => withoutAgent(t.replace(/\(node:\d+\)/g, '(node:PID)'));
  const order = (t) => (c.unordered ? t.split('\n').sort().join('\n') : t);
  return `stdout\n${order(text(stdout))}\nstderr\n${c.anyStderr ? '' : order(text(stderr))}\nend ${end}\n`;
}
