// Runs in every recorded process and worker before the program, gets the recorder in, and then takes every trace of itself away:
// environment, module cache, arguments. If anything here fails, the program runs unrecorded.
//
// Each run folder has a file `preload.cjs` of its own, which is what NODE_OPTIONS=--require names, and which calls this one. So NODE_OPTIONS alone
// says where the run is: some tools pass that on and drop all variables that they do not know.
//
// Any Node may be started somewhere in a recorded command, also an old one: this file keeps to old syntax.
'use strict';
const fs = require('fs');
const path = require('path');
const vm = require('vm');
const Module = require('module');

const OLDEST_NODE = 20;
const folder = __dirname;

// `file`: the preload file of the run, in the folder of the run. `library`: crates/preload, where the system has such libraries.
module.exports = function preload({ file, library }) {
  const run = path.dirname(file);
  const variable = process.env.WHEREFORE_RUN;
  // Somebody may record a command that records: the process then belongs to the inner run, whose preload comes as well.
  const isOurs = variable === undefined || variable === run;
  if (isOurs) tell(run);
  // The addon finds the run in the environment, in case that it fails before it is started.
  if (isOurs) process.env.WHEREFORE_RUN = run;
  const native = isOurs && parseInt(process.versions.node, 10) >= OLDEST_NODE ? loadNative() : undefined;
  if (isOurs) delete process.env.WHEREFORE_RUN;
  const others = process.env.LD_PRELOAD;
  // It takes itself out of the environment, and adds what leads to the run to that of children.
  const hasLibrary = library !== undefined && variable === run && (others === undefined || !others.includes(library));
  const environment = { run, hasLibrary, own: `--require=${quoted(file)}`, file, library };
  takeBack(environment);
  forget(file);
  forget(__filename);
  if (native === undefined || typeof native.start !== 'function' || !native.start(run, `${folder}/`)) return;
  try {
    loader()('load/thread.cjs').start({ native, folder, environment });
  } catch (error) {
    native.problem(`process ${process.pid} is not recorded: ${(error && error.stack) || error}`);
  }
};

// Whoever records knows by this that a Node ran, and which. Old ones are not recorded and have no threads.
function tell(run) {
  try {
    if (parseInt(process.versions.node, 10) >= OLDEST_NODE && !require('worker_threads').isMainThread) return;
    const runner = process.execArgv.includes('--test') ? ' --test' : '';
    fs.appendFileSync(path.join(run, 'nodes.txt'), `${process.pid} ${process.versions.node}${runner}\n`, { mode: 0o600 });
  } catch (error) {
    // The run may have been removed.
  }
}

// The environment and the arguments are as the program would have had them.
function takeBack({ own, file, library }) {
  takeFrom('NODE_OPTIONS', ' ', own);
  // The library does it itself, where it was loaded.
  if (library !== undefined) takeFrom('LD_PRELOAD', ':', library);
  // Node's own test runner hands the options it was started with on to its children, as arguments.
  for (let i = process.execArgv.length - 1; i >= 0; i--) {
    const pair = process.execArgv.slice(i, i + 2).join('=');
    if (pair === `--require=${file}`) process.execArgv.splice(i, 2);
    else if (process.execArgv[i] === `--require=${file}`) process.execArgv.splice(i, 1);
  }
  // Node is going through this very array, and would pass over the next one: the program is shown another.
  const preloads = process._preload_modules;
  if (Array.isArray(preloads) && preloads.includes(file)) {
    Object.defineProperty(process, '_preload_modules', { value: preloads.filter((name) => name !== file) });
  }
}

// Ours comes last, unless a script put more behind it: what `NODE_OPTIONS="$NODE_OPTIONS --more"` would have given stays.
function takeFrom(name, separator, own) {
  const value = process.env[name];
  if (value === undefined) return;
  if (value === own) {
    delete process.env[name];
    return;
  }
  let others = value.split(separator + own).join('');
  if (others.startsWith(own + separator)) others = others.slice(own.length);
  if (others !== value) process.env[name] = others;
}

// As Node reads NODE_OPTIONS: quotes keep blanks, a backslash keeps what follows.
function quoted(file) {
  return /[ \t\n\v\f\r"\\]/.test(file) ? `"${file.replace(/["\\]/g, '\\$&')}"` : file;
}

function forget(file) {
  delete Module._cache[file];
  for (const key of Object.keys(Module._pathCache)) {
    if (Module._pathCache[key] === file) delete Module._pathCache[key];
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
