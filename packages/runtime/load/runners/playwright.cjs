// Playwright: what the process that runs the tests tells its parent.
'use strict';
const { append, isArray } = load('load/primordials.cjs');
const { intercept } = load('load/hide.cjs');

const OUTCOMES = { __proto__: null, passed: 'passed', failed: 'failed', timedOut: 'failed', interrupted: 'skipped', skipped: 'skipped' };

function listen(exports, hub) {
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

module.exports = { listen };

function ended(hub, { kept, info }, payload) {
  const isExpected = payload.status === payload.expectedStatus;
  const outcome = isExpected && payload.status !== 'skipped' ? 'passed' : payload.status === 'passed' ? 'failed' : OUTCOMES[payload.status] ?? 'failed';
  const error = payload.errors?.[0];
  // The first title is the file.
  const titles = [];
  const path = info?.titlePath ?? [];
  for (let i = 1; i < path.length; i++) append(titles, path[i]);
  hub.end(kept, outcome, {
    // A test is tried again in another process.
    key: payload.testId, titles, file: info?.file, line: info?.line, column: info?.column, duration: payload.duration,
    message: hub.plain(error?.message ?? error?.value ?? 'it passed, and was expected to fail'), stack: error?.stack ?? '',
  });
}
