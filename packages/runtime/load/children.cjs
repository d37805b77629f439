// Child processes are recorded too: what starts a process gets the environment of a recorded one, whatever the program passes.
'use strict';
const { replace } = load('load/hide.cjs');

const { apply } = Reflect;

function install({ native, environment }) {
  if (environment.run === undefined) return;
  const wrap = (plain) => ({
    method(...args) {
      // Before Node 24, `spawn` takes one object; since then it takes file, arguments, folder, environment, …
      if (Array.isArray(args[0]?.envPairs)) args[0] = { __proto__: args[0], envPairs: withOurs(args[0].envPairs, environment) };
      else if (Array.isArray(args[3])) args[3] = withOurs(args[3], environment);
      return apply(plain, this, args);
    },
  });
  try {
    replace(binding('process_wrap').Process.prototype, 'spawn', wrap);
    replace(binding('spawn_sync'), 'spawn', wrap);
  } catch {
    // Without process.binding (the permission model) children run unrecorded.
  }
  replace(process, 'execve', (plain) => ({
    method(file, args = [], env = process.env) {
      const pairs = Object.entries(env).map(([key, value]) => `${key}=${value}`);
      const changed = withOurs(pairs, environment).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
      native.endThread();
      return apply(plain, this, [file, args, Object.fromEntries(changed)]);
    },
  }));
}

module.exports = { install };

// process.binding may warn that it is deprecated.
function binding(name) {
  const descriptor = Reflect.getOwnPropertyDescriptor(process, 'noDeprecation');
  process.noDeprecation = true;
  try {
    return process.binding(name);
  } finally {
    if (descriptor === undefined) delete process.noDeprecation;
    else Reflect.defineProperty(process, 'noDeprecation', descriptor);
  }
}

function withOurs(pairs, { run, own }) {
  const kept = pairs.filter((pair) => !/^(?:NODE_OPTIONS|WHEREFORE_RUN)=/.test(pair));
  const options = pairs.find((pair) => pair.startsWith('NODE_OPTIONS='));
  kept.push(options === undefined ? `NODE_OPTIONS=${own}` : `${options} ${own}`, `WHEREFORE_RUN=${run}`);
  return kept;
}
