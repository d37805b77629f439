// Jasmine: a reporter beside those that it has.
'use strict';
const { intercept } = load('load/hide.cjs');
const { append, exec, sliceArray } = load('load/primordials.cjs');

const { apply } = Reflect;
const { then } = Promise.prototype;
const { resolve } = require('path');

const OUTCOMES = { __proto__: null, passed: 'passed', failed: 'failed', pending: 'skipped', excluded: 'skipped' };

function listen(Jasmine, hub) {
  if (typeof Jasmine?.prototype?.execute !== 'function') return false;
  const begins = hub.quietly((jasmine) => {
    jasmine.env.addReporter(reporter(hub));
    watchLoading(jasmine.loader, hub);
  });
  return (
    intercept(Jasmine.prototype, 'execute', {
      before() {
        begins(this);
      },
    }) !== undefined
  );
}

module.exports = { listen };

// A file that cannot be loaded ends the process.
function watchLoading(loader, hub) {
  let file;
  hub.interceptInherited(loader, 'load', {
    before(name) {
      file = name;
    },
    after: hub.quietly((loaded) => {
      const ofThis = file;
      apply(then, loaded, [undefined, hub.quietly((error) => hub.end(hub.sinceStart(), 'failed', { titles: [], file: resolve(ofThis), error }))]);
    }),
  });
}

function reporter(hub) {
  let around = [];
  // They began with what their hooks do.
  let suites = [];
  let test;

  function end(kept, outcome, titles, result) {
    const failed = result.failedExpectations?.[0];
    const limit = exec(/^Error: Timeout - Async function did not complete within (\d+)ms/, `${failed?.message}`);
    hub.end(kept, outcome, {
      limit: limit === null ? undefined : parseInt(limit[1], 10), titles, file: result.filename, duration: result.duration ?? undefined, message: failed?.message, stack: failed?.stack ?? '',
    });
  }

  return {
    suiteStarted: hub.quietly((suite) => {
      append(around, suite.description);
      append(suites, hub.begin());
    }),
    suiteDone: hub.quietly((suite) => {
      if (suite.failedExpectations?.length > 0) end(suites[suites.length - 1], 'failed', around, suite);
      around = sliceArray(around, 0, -1);
      suites = sliceArray(suites, 0, -1);
    }),
    specStarted: hub.quietly(() => {
      test = hub.begin();
    }),
    specDone: hub.quietly((spec) => {
      const titles = sliceArray(around);
      append(titles, spec.description);
      const outcome = OUTCOMES[spec.status] ?? 'skipped';
      end(outcome === 'skipped' ? undefined : test, outcome, titles, spec);
    }),
    // A file that could not be loaded, or what failed outside of all.
    jasmineDone: hub.quietly((all) => {
      const failed = all.failedExpectations ?? [];
      for (let i = 0; i < failed.length; i++) {
        hub.end(hub.begin(), 'failed', { titles: [], file: failed[i].filename, message: failed[i].message, stack: failed[i].stack ?? '' });
      }
    }),
  };
}
