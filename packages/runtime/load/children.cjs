// Child processes are recorded too: what starts a process gets the environment of a recorded one, whatever the program passes.
'use strict';
const { replace } = load('load/hide.cjs');

const { apply } = Reflect;

function install({ environment }) {
  if (environment.run === undefined) return;
  const extended = (options) => {
    if (!Array.isArray(options?.envPairs)) return options;
    return { __proto__: options, envPairs: withOurs(options.envPairs, environment) };
  };
  const wrap = (plain) => ({
    method(options, ...rest) {
      return apply(plain, this, [extended(options), ...rest]);
    },
  });
  try {
    replace(process.binding('process_wrap').Process.prototype, 'spawn', wrap);
    replace(process.binding('spawn_sync'), 'spawn', wrap);
  } catch {
    // Without process.binding (the permission model) children run unrecorded.
  }
}

module.exports = { install };

function withOurs(pairs, { run, own }) {
  const kept = pairs.filter((pair) => !/^(?:NODE_OPTIONS|WHEREFORE_RUN)=/.test(pair));
  const options = pairs.find((pair) => pair.startsWith('NODE_OPTIONS='));
  kept.push(options === undefined ? `NODE_OPTIONS=${own}` : `${options} ${own}`, `WHEREFORE_RUN=${run}`);
  return kept;
}
