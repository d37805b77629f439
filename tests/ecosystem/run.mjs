// node run.mjs [--wherefore BIN] [--node BIN] [--only NAME,…] [--sample] [--jobs N] [--keep] [--plain-only] [--verbose]
// Runs tools and frameworks plain and under `wherefore record`: stdout, stderr, how it ended, the replies of servers and all
// files must be the same, byte for byte. Only what differs between two plain runs may differ (steady.mjs). --sample: only cases/quick.
//
// installs/NAME holds package.json and package-lock.json; cases/NAME/… are the cases that need it. A case is a file, which node
// runs, or a folder. A line `// case: {…}` of the file or `case.json` in the folder says more:
//   run       the command; its first word is looked for in node_modules/.bin, and `node` is the one under test
//   stdin     what it reads
//   env       what is added to its environment
//   serves    it is a server: once it printed a line with its address, requests.mjs in the folder is called with that; what this
//             gives is compared too, and then the server gets SIGTERM
//   alone     node_modules must lie in its folder itself
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { installed, remove } from './install.mjs';
import { compare, isUnstable, observe } from './observe.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../../target/release/wherefore') },
  node: { type: 'string', default: process.execPath },
  target: { type: 'string', default: path.join(here, '../../target/ecosystem') },
  only: { type: 'string' },
  sample: { type: 'boolean', default: false },
  jobs: { type: 'string', default: '1' },
  keep: { type: 'boolean', default: false },
  'plain-only': { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
} });
const MOST_SHOWN = 6;
const only = options.only?.split(',');
const cases = readCases().filter((c) => (only ? only.some((name) => c.name === name || c.install === name || c.name.startsWith(`${name}-`)) : !options.sample || c.install === 'quick'));
let different = 0;
let n_cases = 0;
console.log(`${'case'.padEnd(30)} ${'end'.padEnd(8)} ${'files'.padEnd(6)} ${'events'.padEnd(8)} ${'seconds'.padEnd(12)} verdict`);
for (const install of new Set(cases.map((c) => c.install))) {
  const problem = installed(install, options);
  const queue = cases.filter((c) => c.install === install);
  if (problem !== undefined) {
    for (const c of queue) console.log(`${c.name.padEnd(30)} cannot be installed here: ${problem}`);
    continue;
  }
  await Promise.all(Array.from({ length: Number(options.jobs) }, async () => {
    for (let c = queue.shift(); c; c = queue.shift()) await check(c);
  }));
  if (!options.keep) remove(install, options);
}
console.log(`${n_cases} cases on Node ${process.version}, ${different} different`);
process.exit(different ? 1 : 0);

async function check(c) {
  n_cases++;
  const plain = await observe(c, options, false);
  const again = await observe(c, options, false);
  if (options.verbose) console.log(`--- ${c.name}\n${plain.texts.stdout}${plain.texts.stderr}${plain.texts.replies}[${plain.texts.end}]`);
  const unstable = isUnstable(plain, again);
  if (unstable.length || options['plain-only']) {
    if (unstable.length) different++;
    return line(c, plain, undefined, unstable.length ? `UNSTABLE\n${shown(unstable)}` : 'plain only');
  }
  const recorded = await observe(c, options, true);
  let { differences, kinds } = compare(plain, again, recorded);
  if (differences.length) {
    // Only to say whether it is always so.
    const second = compare(plain, again, await observe(c, options, true));
    different++;
    return line(c, plain, recorded, `DIFFERENT${second.differences.length ? '' : ' (not each time)'}\n${shown(differences)}`);
  }
  const except = [...kinds].sort().join(', ');
  line(c, plain, recorded, except ? `same, but for ${except}` : 'same');
}

function shown(differences) {
  const more = differences.length - MOST_SHOWN;
  return [...differences.slice(0, MOST_SHOWN), ...(more > 0 ? [`    and ${more} more`] : [])].join('\n');
}

function line(c, plain, recorded, verdict) {
  const events = recorded === undefined ? '' : /([\d,]+(?:\.\d+)?(?: (?:thousand|million))?) events/.exec(recorded.summary)?.[1] ?? '?';
  const seconds = `${plain.seconds.toFixed(1)}${recorded === undefined ? '' : ` → ${recorded.seconds.toFixed(1)}`}`;
  const words = `${c.name.padEnd(30)} ${String(plain.texts.end).padEnd(8)} ${String(plain.files.size).padEnd(6)} ${events.padEnd(8)} ${seconds.padEnd(12)} ${verdict}`;
  console.log(words);
  if (options.verbose && recorded !== undefined) console.log(recorded.summary);
}

function readCases() {
  const folder = path.join(here, 'cases');
  return fs.readdirSync(folder).sort().flatMap((install) => fs.readdirSync(path.join(folder, install)).sort().map((entry) => readCase(install, entry)));
}

function readCase(install, entry) {
  const from = path.join(here, 'cases', install, entry);
  const isFolder = fs.statSync(from).isDirectory();
  const said = isFolder ? fs.readFileSync(path.join(from, 'case.json'), 'utf8') : /^\/\/ case: (.*)$/m.exec(fs.readFileSync(from, 'utf8'))?.[1] ?? '{}';
  return { name: entry.replace(/\.[cm]?[jt]s$/, ''), install, from, isFolder, run: ['node', entry], stdin: '', env: {}, ...JSON.parse(said) };
}
