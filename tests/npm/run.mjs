// node run.mjs PLATFORM MAIN AGENT COLLECT [--programs]   (the tarballs)
// The packages of `cargo xtask dist`, installed into an empty folder on a machine that has Node and nothing else: no Rust, no compiler,
// not even this checkout. With --programs, also every program of tests/programs, recorded by what was installed.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { idle, outcome, policyOf, run as runProgram, server, unchanged } from '../agent/support.mjs';
import { removeFolder } from '../shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const [platform, main, agent, collect] = process.argv.slice(2).filter((word) => !word.startsWith('--')).map((file) => path.resolve(file));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-npm-'));
process.on('exit', () => removeFolder(scratch));

const tools = path.join(scratch, 'tools');
fs.mkdirSync(tools);
fs.symlinkSync(process.execPath, path.join(tools, 'node'));
fs.symlinkSync('/bin/sh', path.join(tools, 'sh'));
const env = { PATH: tools, HOME: scratch };
const shop = path.join(scratch, 'shop');
fs.cpSync(path.join(here, '../../examples/shop'), shop, { recursive: true, filter: (file) => !file.includes('.wherefore') });

const whole = installed('whole', [platform, main]);
const alone = installed('alone', [main], ['--omit=optional']);

check('why explains the example', () => {
  const { stdout, status } = run(whole, ['why', '--', 'node', 'shop.js']);
  assert.equal(status, 0);
  assert.match(stdout, /^Error: the receipt says 41\.40\n/);
  assert.match(stdout, /offers\.js:6 in applyOffers/);
});
check('a question about the same run', () => {
  assert.equal(run(whole, ['eval', 'offer', '--at', 'P5']).stdout, 'undefined\n');
});
check('the end of the recorded program is the end of the command', () => {
  assert.equal(run(whole, ['record', '--', 'node', '-e', 'process.exit(7)']).status, 7);
  assert.equal(run(whole, ['record', '--', 'node', '-e', 'process.kill(process.pid, "SIGKILL")']).signal, 'SIGKILL');
});
await checkSignals();
check('without the package of the platform there is a sentence', () => {
  const { status, stderr } = run(alone, ['--version']);
  assert.equal(status, 3);
  assert.match(stderr, /^wherefore: the package @wherefore\/linux-x64-gnu is not installed: .*--omit=optional/);
});
for (const [what, fake, name] of [
  ['another system', "Object.defineProperty(process, 'platform', { value: 'sunos' })", 'sunos-x64'],
  ['another processor', "Object.defineProperty(process, 'arch', { value: 'riscv64' })", 'linux-riscv64-gnu'],
  ['another libc', 'process.report.getReport = () => ({ header: {} })', 'linux-x64-musl'],
]) {
  check(`${what} gets a sentence`, () => {
    fs.writeFileSync(path.join(scratch, 'fake.cjs'), fake);
    const { status, stderr } = spawnSync(process.execPath, ['--require', path.join(scratch, 'fake.cjs'), whole, '--version'], { encoding: 'utf8', env });
    assert.deepEqual([status, stderr], [3, `wherefore: there is no Wherefore for ${name} yet; it runs on linux-x64-gnu\n`]);
  });
}
await checkAgent('npm', packageFolder('agent', [agent]));
check('collect is a package of its own, and one sentence says so', () => {
  const { status, stdout, stderr } = run(whole, ['collect', '--help']);
  assert.deepEqual([status, stdout, stderr], [3, '', 'wherefore: `wherefore collect` is a package of its own, which is not installed: npm install wherefore-collect\n']);
});
check('collect, where it is installed', () => {
  const both = installed('both', [platform, main, collect]);
  assert.match(run(both, ['collect', '--help']).stdout, /Usage: wherefore collect /);
  const added = run(both, ['collect', 'key', 'add', 'shop', '--data', path.join(scratch, 'data')]);
  assert.match(added.stdout, /^wfr_/, added.stderr);
  const alone = path.join(scratch, 'both/node_modules/.bin/wherefore-collect');
  assert.match(run(alone, ['key', 'list', '--data', path.join(scratch, 'data')]).stdout, /shop/);
});
for (const [manager, version] of [['pnpm', '10'], ['yarn', '1']]) {
  const folder = await addedBy(manager, version);
  check(`${manager} installs the tool`, () => {
    // The command that pnpm makes is a script of a shell, which needs more than there is here.
    const command = fs.realpathSync(path.join(folder, 'node_modules/wherefore/wherefore.cjs'));
    const ask = (args) => run(process.execPath, [command, ...args]);
    const { status, stdout, stderr } = ask(['why', '--', 'node', 'shop.js']);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^Error: the receipt says 41\.40\n/);
    assert.match(ask(['collect', '--help']).stdout, /Usage: wherefore collect /);
  });
  await checkAgent(manager, folder);
}
if (process.argv.includes('--programs')) {
  const programs = path.join(here, '../programs/run.mjs');
  const { status } = spawnSync(process.execPath, [programs, '--wherefore', whole], { stdio: 'inherit' });
  assert.equal(status, 0, 'tests/programs');
}

// The script that npm makes the command of.
function installed(name, tarballs, flags = []) {
  const command = path.join(packageFolder(name, tarballs, flags), 'node_modules/.bin/wherefore');
  fs.accessSync(command, fs.constants.X_OK);
  return fs.realpathSync(command);
}

function packageFolder(name, tarballs, flags = []) {
  const folder = path.join(scratch, name);
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'package.json'), '{"private": true}');
  // npm itself is not on the PATH of the tests.
  const { status, stdout, stderr } = spawnSync('npm', ['install', '--offline', '--no-audit', '--no-fund', ...flags, ...tarballs], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  return folder;
}

// All packages, by another package manager, which is taken from the registry. What is not published yet it finds among the tarballs.
async function addedBy(manager, version) {
  const folder = path.join(scratch, manager);
  fs.mkdirSync(folder);
  const file = (tarball) => `file:${tarball}`;
  const native = { '@wherefore/linux-x64-gnu': file(platform) };
  const dependencies = { wherefore: file(main), 'wherefore-agent': file(agent), 'wherefore-collect': file(collect) };
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true, dependencies, pnpm: { overrides: native }, resolutions: native }));
  const install = spawn('npx', ['--yes', `${manager}@${version}`, 'install'], { cwd: folder, env: { ...process.env, CI: '1' }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const output of [install.stdout, install.stderr]) output.on('data', (text) => { said += text; });
  const status = await new Promise((resolve) => install.on('close', resolve));
  assert.equal(status, 0, said);
  return folder;
}

// A program that crashes is reported, and the next time, under a policy, with the path.
async function checkAgent(manager, folder) {
  const afterwards = [];
  const t = { after: (act) => afterwards.push(act) };
  fs.writeFileSync(path.join(folder, 'main.js'), 'function total(cart) {\n  return cart.lines.length;\n}\nconst cart = {};\ntotal(cart);\n');
  const register = path.join(folder, 'node_modules/wherefore-agent/register.cjs');
  const collector = await server(t, unchanged);
  const settings = idle(folder, collector.url, { time: 5000 });
  const plain = await runProgram(folder);
  const first = await runProgram(folder, { agent: settings, register: 'wherefore-agent/register' });
  const [{ stack }] = await collector.reports();
  fs.writeFileSync(settings.cache, `7\n\n${policyOf(stack)}`);
  const second = await runProgram(folder, { agent: settings, register });
  const [, report] = await collector.reports(2);
  for (const act of afterwards) act();
  check(`the agent, installed by ${manager}`, () => {
    assert.deepEqual([outcome(first), outcome(second)], [outcome(plain), outcome(plain)]);
    assert.equal(report.labels.at(-1)?.label, 'crash', JSON.stringify(report));
  });
}

function run(command, args) {
  return spawnSync(command, args, { cwd: shop, encoding: 'utf8', env });
}

async function checkSignals() {
  const child = spawn(whole, ['record', '--', 'node', '-e', "process.on('SIGTERM', () => { console.log('told'); process.exit(5); }); setInterval(() => {}, 1000); console.log('up')"], { cwd: shop, env, stdio: ['ignore', 'pipe', 'ignore'] });
  let printed = '';
  child.stdout.on('data', (text) => { printed += text; if (printed === 'up\n') child.kill('SIGTERM'); });
  const code = await new Promise((resolve) => child.on('exit', resolve));
  check('a signal reaches the program', () => assert.deepEqual([printed, code], ['up\ntold\n', 5]));
}

function check(what, test) {
  test();
  console.log(`ok  ${what}`);
}
