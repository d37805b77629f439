// Runs in every recorded process and worker before the program (NODE_OPTIONS=--require), gets the recorder in, and then takes
// every trace of itself away: environment, module cache, arguments. If anything here fails, the program runs unrecorded.
//
// Any Node may be started somewhere in a recorded command, also an old one: this file keeps to old syntax.
'use strict';
const fs = require('fs');
const path = require('path');
const vm = require('vm');
const Module = require('module');

const OLDEST_NODE = 20;
const folder = __dirname;

// The addon finds the run in the environment, in case that it fails before it is started.
const native = parseInt(process.versions.node, 10) >= OLDEST_NODE ? loadNative() : undefined;
const environment = takeEnvironment();
forgetThisModule();
if (native !== undefined && typeof native.start === 'function') {
  if (native.start(environment.run)) {
    try {
      loader()('load/thread.cjs').start({ native, folder, environment });
    } catch (error) {
      native.problem(`process ${process.pid} is not recorded: ${(error && error.stack) || error}`);
    }
  }
}

// What the parent put into the environment, and the environment as the program would have had it.
function takeEnvironment() {
  const own = `--require=${quoted(__filename)}`;
  const run = process.env.WHEREFORE_RUN;
  const options = process.env.NODE_OPTIONS;
  delete process.env.WHEREFORE_RUN;
  if (options === own) delete process.env.NODE_OPTIONS;
  else if (options && options.endsWith(` ${own}`)) process.env.NODE_OPTIONS = options.slice(0, -own.length - 1);
  // Node's own test runner hands the options it was started with on to its children, as arguments.
  for (let i = process.execArgv.length - 1; i >= 0; i--) {
    const pair = process.execArgv.slice(i, i + 2).join('=');
    if (pair === `--require=${__filename}`) process.execArgv.splice(i, 2);
    else if (process.execArgv[i] === `--require=${__filename}`) process.execArgv.splice(i, 1);
  }
  // Node is going through this very array, and would pass over the next one: the program is shown another.
  const preloads = process._preload_modules;
  if (Array.isArray(preloads) && preloads.includes(__filename)) {
    Object.defineProperty(process, '_preload_modules', { value: preloads.filter((name) => name !== __filename) });
  }
  return { run, own, file: __filename };
}

// As Node reads NODE_OPTIONS: quotes keep blanks, a backslash keeps what follows.
function quoted(file) {
  return /[\s"\\]/.test(file) ? `"${file.replace(/["\\]/g, '\\$&')}"` : file;
}

function forgetThisModule() {
  delete Module._cache[__filename];
  for (const key of Object.keys(Module._pathCache)) {
    if (Module._pathCache[key] === __filename) delete Module._pathCache[key];
  }
}

function loader() {
  const file = path.join(folder, 'loader.cjs');
  const unit = { exports: {} };
  vm.compileFunction(fs.readFileSync(file, 'utf8'), ['module', 'require'], { filename: file })(unit, require);
  return unit.exports(folder);
}

function loadNative() {
  const holder = { exports: {} };
  try {
    process.dlopen(holder, path.join(folder, 'wherefore.node'));
    return holder.exports;
  } catch (error) {
    return undefined;
  }
}
