// node inside.cjs [FLAGS]: test files one after the other in one process, with the package loaded anew for each: most of the time of a
// short test file is the start of Node and of the framework. Asked over IPC: `{ file, how, coverage }`.
const Module = require('node:module');
const fs = require('node:fs');
const inspector = require('node:inspector');
const path = require('node:path');

const flags = process.argv.slice(2);
const folder = fs.realpathSync(process.cwd());
const local = Module.createRequire(path.join(folder, 'package.json'));
const FRAMEWORK = /\/node_modules\/(tape|tap)\/(index|lib\/.*)\.js$/;
const INSIDE = { mocha, tape, script, load };
// A script does not say when it is done.
const SCRIPT_TAKES_MS = 40;
const session = new inspector.Session();
session.connect();
let ended = () => {};

process.on('uncaughtException', () => ended({ failed: true, passed: 0, spoilt: true }));
process.on('unhandledRejection', () => ended({ failed: true, passed: 0, spoilt: true }));
process.on('message', ({ file, how, coverage }) => {
  if (coverage) startCoverage();
  ended = (outcome) => {
    ended = () => {};
    process.exitCode = 0;
    process.send({ ...outcome, scripts: coverage ? stopCoverage() : undefined });
  };
  forget();
  try {
    // Files of the package among them are loaded anew too.
    for (const name of valuesOf('--require')) local(name);
    INSIDE[how](file);
  } catch {
    ended({ failed: true, passed: 0 });
  }
});

function mocha(file) {
  const Mocha = local('mocha');
  const suite = new Mocha({ ui: valuesOf('--ui')[0] ?? 'bdd', timeout: Number(valuesOf('--timeout')[0] ?? 2000), reporter: function () {} });
  suite.addFile(path.join(folder, file));
  const runner = suite.run((failures) => ended({ failed: failures > 0, passed: runner.stats.passes }));
}

function tape(file) {
  process.removeAllListeners('exit');
  local(`./${file}`);
  const name = Object.keys(require.cache).map((key) => FRAMEWORK.exec(key)?.[1]).find(Boolean);
  const { getHarness, onFinish } = local(name);
  const results = getHarness()._results;
  onFinish(() => ended({ failed: results.fail > 0 || results.pass === 0, passed: results.pass }));
}

function script(file) {
  local(`./${file}`);
  setTimeout(() => ended({ failed: false, passed: 0 }), SCRIPT_TAKES_MS);
}

function load(file) {
  local(`./${file}`);
  ended({ failed: false, passed: 0 });
}

function startCoverage() {
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}

function stopCoverage() {
  let scripts = [];
  session.post('Profiler.takePreciseCoverage', (error, taken) => { scripts = taken?.result ?? []; });
  session.post('Profiler.stopPreciseCoverage');
  return scripts.filter(({ url }) => url.includes(folder) && !url.includes('/node_modules/'));
}

function forget() {
  for (const key of Object.keys(require.cache)) {
    if ((key.startsWith(`${folder}/`) && !key.includes('/node_modules/')) || FRAMEWORK.test(key)) delete require.cache[key];
  }
}

function valuesOf(flag) {
  return flags.flatMap((value, i) => (flags[i - 1] === flag ? [value] : []));
}
