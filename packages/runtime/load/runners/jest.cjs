// Jest: what the framework that runs the tests of a file (jest-circus, jest-jasmine2) tells its parent of each test, and what it gives back for
// the file.
'use strict';
const { intercept } = load('load/hide.cjs');
const { SafeMap, append, exec, isArray, sliceArray, split } = load('load/primordials.cjs');

const { apply } = Reflect;
const { then } = Promise.prototype;
const { stringify } = JSON;

const OUTCOMES = { __proto__: null, passed: 'passed', failed: 'failed', pending: 'skipped', skipped: 'skipped', disabled: 'skipped', todo: 'todo' };

function listen(exports, hub) {
  if (typeof exports?.SummaryReporter === 'function') return watchRounds(exports, hub);
  if (typeof exports?.default !== 'function') return false;
  let file;
  const begins = hub.quietly((args) => {
    file = testsOfFile(hub, args[4]);
    const send = args[5];
    if (typeof send !== 'function') return;
    const { told } = file;
    args[5] = function (...message) {
      told(message[0], message[1]);
      return apply(send, this, message);
    };
  });
  return (
    intercept(exports, 'default', {
      before(...args) {
        begins(args);
        return args;
      },
      after: hub.quietly((result) => apply(then, result, [file.done, file.failed])),
    }) !== undefined
  );
}

module.exports = { listen };

// Of the reporters, at least one of these is there unless all were replaced.
function watchRounds({ BaseReporter, DefaultReporter, SummaryReporter }, hub) {
  const over = hub.quietly(() => hub.round(true));
  hub.interceptInherited(BaseReporter.prototype, 'onRunStart', { before: hub.quietly(() => hub.round(false)) });
  hub.interceptInherited(DefaultReporter.prototype, 'onRunComplete', { before: over });
  hub.interceptInherited(SummaryReporter.prototype, 'onRunComplete', { before: over });
  return true;
}

function testsOfFile(hub, file) {
  const open = new SafeMap();
  // By title, of tests whose outcome was told: their numbers, and how often they ran.
  const closed = new SafeMap();

  function ended(result) {
    const outcome = OUTCOMES[result.status];
    if (outcome === undefined) return;
    const key = keyOf(result);
    const running = open.get(key);
    const test = running?.length > 0 ? running[0] : undefined;
    if (test !== undefined) open.set(key, sliceArray(running, 1));
    const before = closed.get(key);
    if (test !== undefined && before !== undefined && result.invocations > 1) test.number = before.number;
    if (test !== undefined) closed.set(key, test);
    const titles = sliceArray(result.ancestorTitles);
    append(titles, result.title);
    hub.end(test, outcome, {
      titles,
      file,
      line: result.location?.line,
      duration: result.duration ?? undefined,
      error: errorOf(result.failureDetails?.[0]),
      message: result.failureDetails?.length > 0 ? undefined : result.failureMessages?.[0],
      stack: result.failureMessages?.[0],
      limit: limitIn(result.failureMessages?.[0]),
    });
  }

  return {
    told: hub.quietly((name, payload) => {
      if (name === 'test-case-start') {
        const key = keyOf(payload[1]);
        const running = open.get(key) ?? [];
        append(running, hub.begin());
        open.set(key, running);
      } else if (name === 'test-case-result' && payload[1].status !== 'todo') ended(payload[1]);
    }),

    // What nothing was told of: tests that did not run, or a file that could not be loaded.
    done: hub.quietly((result) => {
      const all = result?.testResults;
      for (let i = 0; isArray(all) && i < all.length; i++) {
        const { status } = all[i];
        if (status !== 'passed' && status !== 'failed') ended(all[i]);
      }
      const error = result?.testExecError;
      // Of several, as those of `afterAll` hooks, there is only a text.
      if (error) hub.end(hub.begin(), 'failed', { titles: [], file, error, message: error.message || firstLine(error.stack), stack: error.stack });
    }),

    failed: hub.quietly((error) => hub.end(hub.begin(), 'failed', { titles: [], file, error, stack: hub.dataOf(error, 'stack') })),
  };
}

function firstLine(text) {
  return typeof text === 'string' ? split(text, '\n')[0] : undefined;
}

// As jest-circus and Jasmine say it.
function limitIn(message) {
  if (typeof message !== 'string') return undefined;
  const said = exec(/^(?:Error: )?(?:thrown: ")?(?:Exceeded timeout of|Timeout - Async callback was not invoked within the) (\d+(?:\.\d+)?) ?(ms|s|min)\b/, message);
  if (said === null) return undefined;
  return parseFloat(said[1]) * UNITS[said[2]];
}

const UNITS = { __proto__: null, ms: 1, s: 1000, min: 60_000 };
const { parseFloat } = Number;

function keyOf({ ancestorTitles, title }) {
  return stringify([ancestorTitles, title]);
}

// Assertions that failed are told with what they compared.
function errorOf(detail) {
  if (typeof detail !== 'object' || detail === null) return detail;
  return detail.error instanceof Object ? detail.error : detail;
}
