// Playwright: what the process that runs the tests tells its parent.
'use strict';
const { append, exec, includes, isArray, split } = load('load/primordials.cjs');
const { intercept } = load('load/hide.cjs');

const OUTCOMES = { __proto__: null, passed: 'passed', failed: 'failed', timedOut: 'failed', interrupted: 'skipped', skipped: 'skipped' };

function listen(exports, hub) {
  if (typeof exports?.InternalReporter === 'function') return watchErrors(exports.InternalReporter, hub);
  const { prototype } = exports?.ProcessRunner ?? {};
  if (typeof prototype?.dispatchEvent !== 'function') return false;
  let test;
  const told = hub.quietly((worker, event, payload) => {
    if (event === 'testBegin') {
      test = { kept: hub.begin(), info: worker._currentTest };
    } else if (event === 'testEnd' && test !== undefined) {
      ended(hub, test, payload);
      test = undefined;
    } else if (event === 'done' && isArray(payload.fatalErrors) && payload.fatalErrors.length > 0) {
      const error = payload.fatalErrors[0];
      hub.end(hub.begin(), 'failed', { titles: [], file: error.location?.file, line: error.location?.line, error, message: hub.plain(error.message ?? error.value) });
    }
  });
  return (
    intercept(prototype, 'dispatchEvent', {
      before(event, payload) {
        told(this, event, payload);
      },
    }) !== undefined
  );
}

module.exports = { listen, replaced: watchErrors };

// In the process that starts the others: files that cannot be loaded, which it does first.
function watchErrors(InternalReporter, hub) {
  const told = hub.quietly((error, worker) => {
    const file = worker === undefined ? fileOf(error) : undefined;
    if (file === undefined) return;
    const { location } = error;
    const message = hub.plain(error.message ?? error.value);
    hub.end(hub.sinceStart(), 'failed', { titles: [], file, line: location?.file === file ? location.line : undefined, error: { loc: location }, message, stack: error.stack });
  });
  return hub.interceptInherited(InternalReporter.prototype, 'onError', { before: told });
}

// The outermost place of the program, which is the file that was to be loaded, or else where the text could not be parsed.
function fileOf({ stack, location }) {
  let found = location?.file;
  const lines = typeof stack === 'string' ? split(stack, '\n') : [];
  for (let i = 0; i < lines.length; i++) {
    const at = exec(/(?:^\s*at |\()(?:file:\/\/)?(\/[^()]*):\d+:\d+\)?$/, lines[i]);
    if (at !== null && !includes(at[1], '/node_modules/')) found = at[1];
  }
  return found;
}

function ended(hub, { kept, info }, payload) {
  const isExpected = payload.status === payload.expectedStatus;
  const outcome = isExpected && payload.status !== 'skipped' ? 'passed' : payload.status === 'passed' ? 'failed' : OUTCOMES[payload.status] ?? 'failed';
  const error = payload.errors?.[0];
  // The first title is the file.
  const titles = [];
  const path = info?.titlePath ?? [];
  for (let i = 1; i < path.length; i++) append(titles, path[i]);
  hub.end(kept, outcome, {
    limit: payload.status === 'timedOut' ? payload.timeout ?? null : undefined,
    // A test is tried again in another process.
    key: payload.testId, titles, file: info?.file, line: info?.line, column: info?.column, duration: payload.duration,
    message: hub.plain(error?.message ?? error?.value ?? 'it passed, and was expected to fail'), stack: error?.stack ?? '',
  });
}
