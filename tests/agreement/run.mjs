// node run.mjs --agreement BIN [--specs all|N] [--count 500] [--seed 1] [--bugs] [--questions 4] [--only WORD] [--cache DIR] [--node BIN] [--keep DIR]
// Has the specifications, the ten real bugs of bench/bugs (with --bugs) and generated programs asked, each question of a full
// recording and by re-execution. Generated programs are those of tests/oracle; that they do the same each time is checked first.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { batch } from '../oracle/generate.mjs';
import { installed } from '../../bench/bugs.mjs';
import { removeFolder } from '../shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const oracle = path.join(here, '../oracle');
const { values: options } = parseArgs({ options: {
  agreement: { type: 'string', default: path.join(here, '../../target/release/agreement') },
  cache: { type: 'string', default: path.join(here, '../../target/bench') },
  node: { type: 'string', default: process.execPath },
  specs: { type: 'string', default: 'all' },
  count: { type: 'string', default: '500' },
  seed: { type: 'string', default: '1' },
  bugs: { type: 'boolean', default: false },
  questions: { type: 'string', default: '4' },
  jobs: { type: 'string', default: '2' },
  only: { type: 'string' },
  keep: { type: 'string' },
} });
// A bug has more code than a generated program, and there are few.
const QUESTIONS_OF_BUG = 25;

const folder = options.keep ?? fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-agreement-'));
fs.mkdirSync(folder, { recursive: true });
const seeds = Array.from({ length: Number(options.count) }, (_, i) => Number(options.seed) + i);
const programs = [...generated(seeds), ...(options.bugs ? bugs() : [])];
const list = path.join(folder, 'programs.txt');
fs.writeFileSync(list, programs.map((fields) => `${fields.join('\t')}\n`).join(''));
const only = options.only ? ['--only', options.only] : [];
const asked = spawnSync(options.agreement, ['--specs', options.specs, '--jobs', options.jobs, '--list', list, ...only], { stdio: 'inherit' });
if (!options.keep) removeFolder(folder);
process.exit(asked.status ?? 1);

// Each in a folder of its own, as it is run for each question.
function generated(seeds) {
  checkThatTheyRepeat(seeds);
  return seeds.map((seed) => ['generated programs', `seed ${seed}`, written(path.join(folder, `${seed}`), [seed]), options.questions, options.node, 'main.cjs']);
}

function checkThatTheyRepeat(seeds) {
  const all = written(path.join(folder, 'all'), seeds);
  const [first, second] = ['first.txt', 'second.txt'].map((name) => {
    const dump = path.join(all, name);
    const { status, stderr, error } = spawnSync(options.node, ['main.cjs'], { cwd: all, encoding: 'utf8', env: { ...process.env, ORACLE_DUMP: dump } });
    if (status !== 0) throw new Error(`the generated programs fail: ${error ?? stderr}`);
    return fs.existsSync(dump) ? fs.readFileSync(dump, 'utf8') : '';
  });
  if (first !== second) throw new Error('the generated programs do not do the same twice');
}

function written(folder, seeds) {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'programs.cjs'), batch(seeds));
  for (const file of ['main.cjs', 'dump.cjs']) fs.copyFileSync(path.join(oracle, file), path.join(folder, file));
  return folder;
}

function bugs() {
  const names = fs.readdirSync(path.join(here, '../../bench/bugs')).sort();
  return names.map((name) => ['real bugs', name, installed('bugs', name, options.cache), QUESTIONS_OF_BUG, options.node, '--no-deprecation', 'repro.cjs']);
}
