// Child processes are recorded too: what starts a process gets the environment of a recorded one, whatever the program passes.
'use strict';
const { existsSync } = require('fs');
const { replace } = load('load/hide.cjs');
const { ranSync } = load('load/sockets.cjs');
const { append, indexOf, isArray, slice, startsWith } = load('load/primordials.cjs');

const { apply } = Reflect;
const { keys: enumerableKeys } = Object;

function install({ native, environment }) {
  if (environment.run === undefined) return;
  const wrap = (plain) => ({
    method(...args) {
      // Before Node 24, `spawn` takes one object; since then it takes file, arguments, folder, environment, …
      if (isArray(args[0]?.envPairs)) args[0] = { __proto__: args[0], envPairs: withOurs(args[0].envPairs, environment) };
      else if (isArray(args[3])) args[3] = withOurs(args[3], environment);
      const result = apply(plain, this, args);
      ranSync(result);
      return result;
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
      const changed = toObject(withOurs(toPairs(env), environment));
      native.endThread();
      return apply(plain, this, [file, args, changed]);
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

// The library of crates/preload does it for all processes, where it was loaded. A variable keeps its place: programs can see their order.
function withOurs(pairs, { run, own, file, library, hasLibrary }) {
  // Node does not start without a file that it is to load first, and the run may have been removed.
  if (hasLibrary || !existsSync(file)) return pairs;
  const changed = [];
  let hasOptions = false;
  let isNamed = library === undefined || !existsSync(library);
  for (let i = 0; i < pairs.length; i++) {
    const pair = pairs[i];
    if (!hasOptions && startsWith(pair, 'NODE_OPTIONS=')) {
      hasOptions = true;
      append(changed, `${pair} ${own}`);
    } else if (!isNamed && startsWith(pair, 'LD_PRELOAD=')) {
      isNamed = true;
      append(changed, `${pair}:${library}`);
    } else if (!startsWith(pair, 'WHEREFORE_RUN=')) {
      append(changed, pair);
    }
  }
  if (!isNamed) append(changed, `LD_PRELOAD=${library}`);
  if (!hasOptions) append(changed, `NODE_OPTIONS=${own}`);
  append(changed, `WHEREFORE_RUN=${run}`);
  return changed;
}

function toPairs(env) {
  const pairs = [];
  const keys = enumerableKeys(env);
  for (let i = 0; i < keys.length; i++) append(pairs, `${keys[i]}=${env[keys[i]]}`);
  return pairs;
}

function toObject(pairs) {
  const env = { __proto__: null };
  for (let i = 0; i < pairs.length; i++) {
    const at = indexOf(pairs[i], '=');
    env[slice(pairs[i], 0, at)] = slice(pairs[i], at + 1);
  }
  return env;
}
