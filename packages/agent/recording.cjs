// Starts the ordinary recorder in this process, for the functions that a policy names: no parent, no files, the newest events only.
'use strict';
const fs = require('fs');
const vm = require('vm');

// Gives the recorder; nothing if the policy is none, or this Node cannot be recorded.
function start(native, folder, file, settings, policy) {
  if (!native.agentStart(settings, policy)) return undefined;
  const text = fs.readFileSync(`${folder}/loader.cjs`, 'utf8');
  const unit = { exports: {} };
  vm.compileFunction(text, ['module', 'require'], { filename: `${folder}/loader.cjs` })(unit, require);
  return unit.exports.loader(folder)('load/thread.cjs').start({ native, folder, environment: { file } });
}

module.exports = { start };
