// Jasmine: a reporter beside those that it has.
'use strict';
const { intercept } = load('load/hide.cjs');
const { append, sliceArray } = load('load/primordials.cjs');

const OUTCOMES = { __proto__: null, passed: 'passed', failed: 'failed', pending: 'skipped', excluded: 'skipped' };

function listen(Jasmine, hub) {
  if (typeof Jasmine?.prototype?.execute !== 'function') return false;
  const begins = hub.quietly((jasmine) => jasmine.env.addReporter(reporter(hub)));
  return (
    intercept(Jasmine.prototype, 'execute', {
      before() {
        begins(this);
      },
    }) !== undefined
  );
}

module.exports = { listen };

function reporter(hub) {
  let around = [];
  let test;

  function end(kept, outcome, titles, result) {
    const failed = result.failedExpectations?.[0];
    hub.end(kept, outcome, {
      titles, file: result.filename, duration: result.duration ?? undefined, message: failed?.message, stack: failed?.stack ?? '',
    });
  }

  return {
    suiteStarted: hub.quietly((suite) => append(around, suite.description)),
    suiteDone: hub.quietly((suite) => {
      if (suite.failedExpectations?.length > 0) end(hub.begin(), 'failed', around, suite);
      around = sliceArray(around, 0, -1);
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
