// node agent.mjs [--node BIN] [--rounds N]: what the idle agent costs, at the start of a program and while it runs. Plain, with an empty file
// in the place of the agent, and with the agent, in turn; of CPU time, the median of the ratios of each round, which
// other load of the machine changes little.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../tests/shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  node: { type: 'string', default: process.execPath },
  rounds: { type: 'string', default: '40' },
} });
const LIMIT = 1.01;

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-agent-bench-'));
const file = (name, text) => {
  fs.writeFileSync(path.join(scratch, name), text);
  return path.join(scratch, name);
};
// Each ends with the CPU time that it took, from the start of the process on.
const REPORT = 'const { user, system } = process.resourceUsage ? { user: process.resourceUsage().userCPUTime, system: process.resourceUsage().systemCPUTime } : process.cpuUsage(); console.log(user + system);';
const programs = {
  'start-up': file('start.js', REPORT),
  'start-up of a program with 40 modules': file('modules.js', `for (const name of require('module').builtinModules.filter((name) => !/^_|\\/|^(sys|punycode|trace_events|test|sea|sqlite)/.test(name))) require(name);\n${REPORT}`),
  'a workload': file('work.js', `
class Cart { constructor() { this.lines = []; } add(sku, count) { this.lines.push({ sku, count, price: sku.length }); return this; } total() { let sum = 0; for (const { count, price } of this.lines) sum += count * price; return sum; } }
let sum = 0;
for (let i = 0; i < 200000; i++) { const cart = new Cart(); for (let j = 0; j < 10; j++) cart.add('sku' + (j % 7), j); sum += cart.total(); try { if (i % 10 === 0) throw new Error('x'); } catch (e) { sum += e.message.length; } }
${REPORT}`),
};
const cache = file('policy.cache', '7\n\n');
const register = path.join(here, '../packages/agent/register.cjs');
const settings = { WHEREFORE_AGENT_URL: 'http://127.0.0.1:9', WHEREFORE_AGENT_KEY: 'key', WHEREFORE_AGENT_CACHE: cache, WHEREFORE_AGENT_REFRESH: '1000000' };
const variants = {
  plain: [],
  'an empty file': [`--require=${file('empty.cjs', '')}`],
  'the agent': [`--require=${register}`],
};

let isWell = true;
for (const [name, program] of Object.entries(programs)) {
  const times = Object.fromEntries(Object.keys(variants).map((variant) => [variant, []]));
  for (let i = 0; i < Number(options.rounds); i++) {
    for (const [variant, flags] of Object.entries(variants)) {
      const { stdout } = spawnSync(options.node, [...flags, program], { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '', ...settings } });
      times[variant].push(Number(stdout.trim().split('\n').pop()));
    }
  }
  const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
  const beside = (variant) => median(times[variant].map((time, round) => time / times.plain[round]));
  const ratio = beside('the agent');
  const plain = median(times.plain) / 1000;
  console.log(`${name}: plain ${plain.toFixed(1)} ms, an empty file in its place × ${beside('an empty file').toFixed(3)}, the agent × ${ratio.toFixed(3)}`);
  if (name === 'a workload' && ratio > LIMIT) isWell = false;
}
removeFolder(scratch);
console.log(`limit: × ${LIMIT} of the workload`);
process.exit(isWell ? 0 : 1);
