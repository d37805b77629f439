// Vitest: the object through which its runner talks to the rest of it, in the process or thread that runs the tests. The text of the
// runner's module gives us the function that runs files.
'use strict';
const { intercept } = load('load/hide.cjs');
const { SafeWeakMap, SafeWeakSet, append, exec, isArray } = load('load/primordials.cjs');

const { apply } = Reflect;
const { then } = Promise.prototype;

// The function to be called in the place of `startTests`.
function replaced(startTests, hub) {
  if (typeof startTests.prototype?.end === 'function') return watchRounds(startTests, hub);
  const known = new SafeWeakSet();
  const tests = testsOf(hub);
  const holder = { startTests };
  const begins = hub.quietly((runner) => {
    if (known.has(runner)) return;
    known.add(runner);
    watch(runner, 'onBeforeRunSuite', tests.begins);
    watch(runner, 'onAfterRunSuite', tests.stops);
    watch(runner, 'onBeforeRunTask', tests.begins);
    watch(runner, 'onAfterRunTask', tests.ended);
    hub.onUncaught(tests.left);
  });
  intercept(holder, 'startTests', {
    before(paths, runner) {
      begins(runner);
    },
    after: hub.quietly((files) => apply(then, files, [tests.rest, () => {}])),
  });
  return holder.startTests;
}

module.exports = { replaced };

// In the process that starts the others: what it does around each round.
function watchRounds(TestRun, hub) {
  const over = hub.quietly(() => hub.round(true));
  intercept(TestRun.prototype, 'start', { before: hub.quietly(() => hub.round(false)) });
  const ignores = hub.quietly((run, specifications, errors) => {
    // What nobody caught fails no file then.
    if (run.vitest.config.dangerouslyIgnoreUnhandledErrors !== true && errors.length > 0) return;
    for (let i = 0; i < specifications.length; i++) hub.withdraw(specifications[i].moduleId);
  });
  intercept(TestRun.prototype, 'end', {
    before(specifications, errors) {
      ignores(this, specifications, errors);
    },
    after: hub.quietly((reported) => apply(then, reported, [over, over])),
  });
  return TestRun;
}

function watch(runner, name, told) {
  const plain = runner[name];
  runner[name] = function (...args) {
    told(args[0]);
    return typeof plain === 'function' ? apply(plain, this, args) : undefined;
  };
}

function testsOf(hub) {
  const open = new SafeWeakMap();
  const closed = new SafeWeakSet();

  function end(task, outcome) {
    if (closed.has(task)) return;
    closed.add(task);
    const { result } = task;
    const errors = result?.errors;
    const last = isArray(errors) ? errors[result.retryCount > 0 ? errors.length - 1 : 0] : undefined;
    const limit = exec(/^(?:Test|Hook) timed out in (\d+)ms\./, `${last?.message}`);
    const place = last?.__vitest_rollup_error__;
    const titles = titlesOf(task);
    hub.end(open.get(task), outcome, {
      titles, file: task.file?.filepath, line: task.location?.line, column: task.location?.column,
      duration: result?.duration, error: place?.loc === undefined ? last : { name: last.name, message: last.message, loc: place.loc },
      // It is of the code as Vite made it, and its parent knows where that came from. Of a file that throws there is nothing else.
      stack: titles.length === 0 ? last?.stack ?? '' : '', limit: limit === null ? undefined : parseInt(limit[1], 10),
    });
  }

  // What did not run, and suites and files that failed themselves.
  function walk(task) {
    const { mode, result, tasks } = task;
    if (!isArray(tasks)) {
      if (result?.state === 'fail') end(task, 'failed');
      else if (mode === 'todo') end(task, 'todo');
      else if (mode === 'skip' || result?.state === 'skip') end(task, 'skipped');
      return;
    }
    if (result?.state === 'fail' && result.errors?.length > 0) end(task, 'failed');
    for (let i = 0; i < tasks.length; i++) walk(tasks[i]);
  }

  let file;

  return {
    begins: hub.quietly((task) => {
      file = task.file?.filepath ?? file;
      if (task.mode === 'run' || task.mode === 'queued') open.set(task, hub.begin());
    }),
    stops: hub.quietly((suite) => {
      if (open.has(suite)) hub.stop(open.get(suite));
    }),
    ended: hub.quietly((task) => {
      const state = task.result?.state;
      if (state === 'pass' || state === 'fail') end(task, state === 'pass' ? 'passed' : 'failed');
    }),
    left: hub.quietly((error) => {
      if (file !== undefined) hub.end(hub.sinceStart(), 'failed', { key: hub.keyOfFile(file), titles: [], file, error });
    }),
    rest: hub.quietly((files) => {
      for (let i = 0; i < files.length; i++) walk(files[i]);
    }),
  };
}

function titlesOf(task) {
  const inner = [];
  // The outermost is the file.
  for (let at = task; at && at !== task.file; at = at.suite) if (at.name) append(inner, at.name);
  const titles = [];
  for (let i = inner.length - 1; i >= 0; i--) append(titles, inner[i]);
  return titles;
}
