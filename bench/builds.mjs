// node builds.mjs --before BIN [--after BIN] [--reps 5] [--only a,b] [--scale 1]
// Two builds of Wherefore, interleaved: whether a full recording and the hooks of one property became dearer.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { hooksOf } from './rerun/hooks.mjs';
import { removeFolder } from '../tests/shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  before: { type: 'string' },
  after: { type: 'string', default: path.join(here, '../target/release/wherefore') },
  reps: { type: 'string', default: '5' },
  scale: { type: 'string', default: '1' },
  only: { type: 'string', default: 'esprima,lokijs,immutable,marked,typescript,express,vue,mobx,nbody,richards' },
} });
if (!options.before) throw new Error('--before names the older build: its target/release/wherefore, with its runtime where that build looks for it');
// What two medians of the same build differ by on a machine that does other things.
const NOISE = 1.03;
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-builds-'));
process.on('exit', () => removeFolder(scratch));

console.log('CPU of the program, after ÷ before: median [min–max] of the rounds\n');
console.log('| workload | full recording | hottest property |');
console.log('|---|---|---|');
const all = { full: [], hook: [] };
for (const name of options.only.split(',')) {
  const { property } = hooksOf({ wherefore: options.after, scratch, name });
  const rounds = { full: [], hook: [] };
  for (let round = 0; round < Number(options.reps); round++) {
    const cpu = measure(name, property, round % 2 === 0);
    for (const kind of ['full', 'hook']) rounds[kind].push(cpu[`after-${kind}`] / cpu[`before-${kind}`]);
  }
  for (const kind of ['full', 'hook']) all[kind].push(median(rounds[kind]));
  const text = (ratios) => `${median(ratios).toFixed(3)} [${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}]`;
  console.log(`| ${name} | ${text(rounds.full)} | ${text(rounds.hook)} (\`${property}\`) |`);
}
let n_broken = 0;
for (const [kind, what] of [['full', 'full recording'], ['hook', 'one property']]) {
  const value = median(all[kind]);
  if (value > NOISE) n_broken++;
  console.log(`${what}, median of the workloads: ${value > NOISE ? `**${value.toFixed(3)}**` : value.toFixed(3)} (limit ${NOISE}: 1, and the noise)`);
}
process.exit(n_broken ? 1 : 0);

// Which build goes first changes from round to round. Each run has a folder of its own: the index of the one before may still be made.
function measure(name, property, beforeFirst) {
  const run = path.join(scratch, 'run');
  const builds = [['before', options.before], ['after', options.after]];
  if (!beforeFirst) builds.reverse();
  const commands = [['full', ''], ['hook', `--policy 'needed properties=${property}'`]].flatMap(([kind, policy]) =>
    builds.map(([build, wherefore]) => `${build}-${kind}=rm -rf ${run}-* 2>/dev/null; ${path.resolve(wherefore)} record -o ${run}-$$ ${policy} -- ${process.execPath} {}`));
  const result = spawnSync(process.execPath, [path.join(here, 'run.mjs'), '--json', '--reps', '1', '--scale', options.scale, '--only', name, ...commands], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const row = JSON.parse(result.stdout)[name];
  return Object.fromEntries(Object.entries(row).map(([tool, it]) => { if (it.error) throw new Error(`${name}, ${tool}: ${it.error}`); return [tool, it.cpu]; }));
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}
