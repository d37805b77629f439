// node inside.cjs RUN FLAGS: test files one after the other in one process, with the package loaded anew for each: most of the time
// of a short test file is the start of Node and of the framework. What is found here to fail is confirmed by a run of its own.
const Module = require('node:module');
const fs = require('node:fs');
const path = require('node:path');

const [run, ...flags] = process.argv.slice(2);
const folder = fs.realpathSync(process.cwd());
const local = Module.createRequire(path.join(folder, 'package.json'));
const FRAMEWORK = /\/node_modules\/(tape|tap)\/(index|lib\/.*)\.js$/;
let ended = () => {};

process.on('uncaughtException', () => ended({ failed: true, spoilt: true }));
process.on('unhandledRejection', () => ended({ failed: true, spoilt: true }));
process.on('message', (file) => {
  ended = (outcome) => {
    ended = () => {};
    process.exitCode = 0;
    process.send(outcome);
  };
  forget();
  try {
    if (run === 'mocha') mocha(file);
    else tape(file);
  } catch {
    ended({ failed: true });
  }
});
if (run === 'mocha') for (const name of valuesOf('--require')) local(name);

function mocha(file) {
  const Mocha = local('mocha');
  const suite = new Mocha({ ui: valuesOf('--ui')[0] ?? 'bdd', timeout: Number(valuesOf('--timeout')[0] ?? 2000), reporter: function () {} });
  suite.addFile(path.join(folder, file));
  suite.run((failures) => ended({ failed: failures > 0 }));
}

function tape(file) {
  process.removeAllListeners('exit');
  local(`./${file}`);
  const name = Object.keys(require.cache).map((key) => FRAMEWORK.exec(key)?.[1]).find(Boolean);
  const { getHarness, onFinish } = local(name);
  const results = getHarness()._results;
  onFinish(() => ended({ failed: results.fail > 0 || results.pass === 0 }));
}

function forget() {
  for (const key of Object.keys(require.cache)) {
    if ((key.startsWith(`${folder}/`) && !key.includes('/node_modules/')) || FRAMEWORK.test(key)) delete require.cache[key];
  }
}

function valuesOf(flag) {
  return flags.flatMap((value, i) => (flags[i - 1] === flag ? [value] : []));
}
