// node run.mjs [--wherefore BIN] [--node BIN] [--only ENTRY]
// A panic inside each way into the addon (it lists them itself): output, exit code and stderr of the program are those of the plain run, and
// the end of the run says what failed. The settings of the run wish the panic; a program cannot.
import { createRequire } from 'node:module';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { firstDifference, removeFolder, run, summary, withoutSummary } from '../shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../../target/release/wherefore') },
  node: { type: 'string', default: process.execPath },
  only: { type: 'string' },
} });
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-panics-'));
const cases = path.join(here, 'cases');
const programs = fs.readdirSync(cases).filter((name) => /^[a-z].*\.[cm]?js$/.test(name)).map((name) => ({ name, ...settingsOf(name) }));
const known = fs.readFileSync(path.join(here, 'unreached.txt'), 'utf8').split('\n').filter((line) => line && !line.startsWith('#')).map((line) => line.split(' – ')[0]);

let nRuns = 0;
let bad = 0;
for (const program of programs) {
  program.plain = await plainly(program);
  const { note, ...told } = await recorded(program, '?');
  compare(`${program.name}, recorded`, program.plain, told);
  program.reached = note.split('\n').flatMap((line) => /entry (.*)$/.exec(line)?.[1] ?? []);
}
const entries = entriesOfAddon().filter((entry) => options.only === undefined || entry === options.only);
let nReached = 0;
for (const entry of entries) {
  const program = programs.find(({ reached }) => reached.includes(entry));
  if (program === undefined) {
    if (!known.includes(entry)) complain(`no program comes to "${entry}": add one to tests/panics/cases`);
    continue;
  }
  nReached++;
  const { note, ...failed } = await recorded(program, entry);
  compare(`a panic in "${entry}", ${program.name}`, program.plain, failed);
  if (!note.includes(`(${entry}: `)) complain(`a panic in "${entry}", ${program.name}: the run does not say so: ${note || 'it says nothing'}`);
}
removeFolder(scratch);
console.log(`${entries.length} entries, ${nReached} reached on ${options.node}, ${bad} bad`);
process.exit(bad ? 1 : 0);

// The first line of a program may have settings of its own: // {"env": {…}, "settings": "…"}
function settingsOf(name) {
  const first = fs.readFileSync(path.join(cases, name), 'utf8').split('\n', 1)[0];
  const given = first.startsWith('// {') ? JSON.parse(first.slice(3)) : {};
  return { env: given.env ?? {}, args: given.args ?? [], settings: (given.settings ?? '').replaceAll('CASES', cases) };
}

function entriesOfAddon() {
  const runtime = process.env.WHEREFORE_RUNTIME ?? path.join(here, '../../packages/runtime');
  const holder = { exports: {} };
  process.dlopen(holder, createRequire(import.meta.url).resolve(path.join(runtime, 'wherefore.node')));
  return holder.exports.entries();
}

function environment({ env }) {
  const folder = path.join(scratch, 'own');
  removeFolder(folder);
  fs.mkdirSync(folder);
  return { ...process.env, OWN_FOLDER: folder, ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, value.replaceAll('OWN', folder)])) };
}

async function plainly(program) {
  const files = [path.join(scratch, 'out'), path.join(scratch, 'err')];
  return seen(await run([options.node, ...program.args, program.name], { cwd: cases, env: environment(program), files }), program);
}

// The shell writes the wish where only the recorder looks, and becomes the program.
async function recorded(program, wish) {
  const folder = path.join(scratch, String(nRuns++));
  const files = [path.join(scratch, 'out'), path.join(scratch, 'err')];
  const settings = `${program.settings}panic\t${wish}\n`;
  const script = 'printf %s "$SETTINGS" >> "$RUN/settings.txt"; unset SETTINGS RUN; exec "$@"';
  const command = [options.wherefore, 'record', '-o', folder, '--', '/bin/sh', '-c', script, 'sh', options.node, ...program.args, program.name];
  const env = { ...environment(program), SETTINGS: settings, RUN: folder };
  const outcome = await run(command, { cwd: cases, env, files });
  const problems = path.join(folder, 'problems.txt');
  const note = fs.existsSync(problems) ? fs.readFileSync(problems, 'utf8') : '';
  const told = summary(outcome.stderr);
  if (wish !== '?' && note !== '' && !told.includes('the recorder failed')) complain(`"${wish}": the end of the run does not say that the recorder failed: ${told}`);
  removeFolder(folder);
  return { ...seen({ ...outcome, stderr: withoutSummary(outcome.stderr) }, program), note };
}

function seen({ end, stdout, stderr }) {
  const same = (text) => text.replaceAll(/\b(?:pid|node:)\d+\b/g, 'N').replaceAll(/\(node:\d+\)/g, '(node:N)');
  return { end: String(end), stdout: same(stdout), stderr: same(stderr) };
}

function compare(title, plain, other) {
  for (const part of ['end', 'stdout', 'stderr']) {
    if (plain[part] !== other[part]) complain(`${title}: ${part} differs\n${firstDifference(plain[part], other[part])}`);
  }
}

function complain(text) {
  bad++;
  console.log(text);
}
