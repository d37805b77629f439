// AVA: its class of tests, and what it tells its parent of tests that do not run.
'use strict';
const { workerData } = require('worker_threads');
const { intercept } = load('load/hide.cjs');

const { isArray } = Array;
const { apply } = Reflect;
const { then } = Promise.prototype;

let file = workerData?.options?.file;

// The class is given by the text of its module.
function replaced(Test, hub) {
  let running;
  const begins = hub.quietly((test) => {
    running = { test, kept: hub.begin() };
  });
  const ends = hub.quietly((result) => {
    const { test, kept } = running;
    const told = hub.quietly((outcome) => ended(hub, test, kept, outcome));
    if (typeof result?.then === 'function') apply(then, result, [told, () => {}]);
    else told(result);
  });
  intercept(Test.prototype, 'run', {
    before() {
      begins(this);
    },
    after: ends,
  });
  return Test;
}

// The channel to the parent.
function listen(channel, hub) {
  if (typeof channel?.send !== 'function' || channel.options === undefined) return false;
  apply(then, channel.options, [(options) => (file ??= options?.file), () => {}]);
  const told = hub.quietly((state) => {
    if (state?.type === 'selected-test' && (state.skip || state.todo)) hub.end(undefined, state.todo ? 'todo' : 'skipped', { titles: [state.title], file });
    if (state?.type === 'uncaught-exception') hub.end(hub.begin(), 'failed', { titles: [], file, error: originalOf(state.err), message: messageOf(state.err) });
  });
  return (
    intercept(channel, 'send', {
      before(state) {
        told(state);
      },
    }) !== undefined
  );
}

module.exports = { replaced, listen };

function ended(hub, test, kept, { passed, error, duration, title }) {
  // Of hooks, only those that fail.
  if (test.isHook && passed) return;
  const cause = error?.cause;
  const { message } = typeof cause === 'object' && cause !== null ? cause : error ?? {};
  hub.end(kept, passed ? 'passed' : 'failed', {
    limit: message === 'Test timeout exceeded' ? null : undefined,
    titles: [title ?? test.title],
    file,
    duration,
    error: typeof cause === 'object' && cause !== null ? cause : error,
    // The tests of a file run at the same time: where the error was made says more than what left which test.
    isFoundByStack: true,
    message: messageOf(error, cause),
    stack: stackOf(error),
  });
}

function originalOf(error) {
  const original = error?.originalError;
  return typeof original === 'object' && original !== null ? original : error;
}

// An assertion that failed has a stack of its own.
function stackOf(error) {
  const own = error?.assertionStack;
  return typeof own === 'string' && own !== '' ? own : undefined;
}

function messageOf(error, cause) {
  if (typeof cause === 'object' && cause !== null) return undefined;
  const message = error?.message;
  if (typeof message === 'string' && message !== '') return message;
  // What was compared, as it is printed.
  const details = error?.formattedDetails;
  let text = typeof error?.assertion === 'string' ? error.assertion : 'the assertion failed';
  for (let i = 0; isArray(details) && i < details.length; i++) text += `\n${details[i].label} ${details[i].formatted}`;
  return text;
}
