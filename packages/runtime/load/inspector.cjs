// What a program asks the inspector of its own thread: V8 counts for coverage what was run of the instrumented text.
'use strict';
const { intercept, stealthyBound } = load('load/hide.cjs');
const { parse, stringify } = JSON;

const COUNTS = { __proto__: null, 'Profiler.takePreciseCoverage': true, 'Profiler.getBestEffortCoverage': true };

function install({ native, folder }) {
  const Session = sessionClass();
  if (Session === undefined) return;
  const before = (error, reply) => {
    if (error !== null) return;
    const right = native.originalCoverage(stringify(reply.result), `${folder}/`);
    if (right !== undefined) reply.result = parse(right);
  };
  // Only the names of methods that give counts are looked at: a program may give objects that can tell.
  intercept(Session.prototype, 'post', {
    before(method, params, callback) {
      if (typeof method !== 'string' || COUNTS[method] === undefined) return undefined;
      if (typeof params === 'function') return [method, stealthyBound(params, { before })];
      if (typeof callback === 'function') return [method, params, stealthyBound(callback, { before })];
      return undefined;
    },
  });
}

module.exports = { install };

// A Node can be built without an inspector.
function sessionClass() {
  try {
    return require('inspector').Session;
  } catch {
    return undefined;
  }
}
