// Workers inherit the preload unless the program gives them arguments or an environment of their own.
'use strict';
const { existsSync } = require('fs');
const workers = require('worker_threads');
const { SHARE_ENV, setEnvironmentData, getEnvironmentData } = workers;
const { intercept } = load('load/hide.cjs');
const { knowWorker } = load('load/ports.cjs');
const starter = load('load/starter.cjs');
const { append, isArray, sliceArray } = load('load/primordials.cjs');

// Data of this name goes to the next worker alone. Nobody can list such data.
const TEXT = 'wherefore:text';
let hasText = false;

function forget() {
  if (hasText) setEnvironmentData(TEXT, undefined);
  hasText = false;
}

// What this worker was told to evaluate.
function textOfWorker() {
  const text = getEnvironmentData(TEXT);
  setEnvironmentData(TEXT, undefined);
  return text;
}

function install({ native, environment }) {
  starter.learn();
  const withPreload = (given) => {
    const options = sliceArray(given);
    // The run may have been removed.
    if (existsSync(environment.file)) append(options, `--require=${environment.file}`);
    return options;
  };
  intercept(workers, 'Worker', {
    before(...args) {
      const text = args[0];
      const options = args[1];
      starter.announce(native, text);
      if (typeof options !== 'object' || options === null) return undefined;
      const changed = { __proto__: options };
      if (isArray(options.execArgv)) changed.execArgv = withPreload(options.execArgv);
      else if (options.env === SHARE_ENV || (typeof options.env === 'object' && options.env !== null)) changed.execArgv = withPreload(process.execArgv);
      args[1] = changed;
      // What it evaluates it instruments itself: it may come to run unrecorded.
      hasText = Boolean(options.eval) && typeof text === 'string';
      if (hasText) setEnvironmentData(TEXT, text);
      return args;
    },
    after(worker) {
      starter.forget();
      forget();
      knowWorker(worker);
    },
    failed() {
      starter.forget();
      forget();
    },
  });
}

module.exports = { install, textOfWorker };
