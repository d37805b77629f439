// Workers inherit the preload unless the program gives them arguments or an environment of their own.
'use strict';
const workers = require('worker_threads');
const { interceptClass } = load('load/hide.cjs');
const { SCRIPT } = load('load/kinds.cjs');
const { append, isArray, sliceArray } = load('load/primordials.cjs');

function install({ native, environment }) {
  const withPreload = (given) => {
    const options = sliceArray(given);
    append(options, `--require=${environment.file}`);
    return options;
  };
  interceptClass(workers, 'Worker', {
    before(...args) {
      const filename = args[0];
      const options = args[1];
      if (typeof options !== 'object' || options === null) return undefined;
      const changed = { __proto__: options };
      if (isArray(options.execArgv)) changed.execArgv = withPreload(options.execArgv);
      else if (typeof options.env === 'object' && options.env !== null) changed.execArgv = withPreload(process.execArgv);
      const isText = options.eval && typeof filename === 'string';
      const code = isText ? native.instrument(filename, '[worker eval]', SCRIPT) : undefined;
      args[0] = code ?? filename;
      args[1] = changed;
      return args;
    },
  });
}

module.exports = { install };
