// Workers inherit the preload unless the program gives them arguments or an environment of their own.
'use strict';
const workers = require('worker_threads');
const { interceptClass } = load('load/hide.cjs');
const { SCRIPT } = load('load/kinds.cjs');

function install({ native, environment }) {
  const preload = `--require=${environment.file}`;
  interceptClass(workers, 'Worker', {
    before(filename, options, ...rest) {
      if (typeof options !== 'object' || options === null) return undefined;
      const changed = { __proto__: options };
      if (Array.isArray(options.execArgv)) changed.execArgv = [...options.execArgv, preload];
      else if (typeof options.env === 'object' && options.env !== null) changed.execArgv = [...process.execArgv, preload];
      const isText = options.eval && typeof filename === 'string';
      const code = isText ? native.instrument(filename, '[worker eval]', SCRIPT) : undefined;
      return [code ?? filename, changed, ...rest];
    },
  });
}

module.exports = { install };
