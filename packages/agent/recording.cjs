// Starts the ordinary recorder in this process, for the functions that a policy names: no parent, no files, the newest events only.
'use strict';
const fs = require('fs');
const vm = require('vm');

// Gives the recorder; nothing if the policy is none, or this Node cannot be recorded.
function start(native, folder, file, policy) {
  if (!native.agentStart(policy)) return undefined;
  const loader = `${folder}/loader.cjs`;
  const unit = { exports: {} };
  vm.compileFunction(fs.readFileSync(loader, 'utf8'), ['module', 'require'], { filename: loader })(unit, require);
  return unit.exports(folder)('load/thread.cjs').start({ native, folder, environment: { file }, isInProduction: true });
}

module.exports = { start };
