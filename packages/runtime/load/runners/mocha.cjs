// Mocha: the events of its Runner, and what it cannot load.
'use strict';
const { intercept } = load('load/hide.cjs');
const { SafeWeakMap, append } = load('load/primordials.cjs');

const { apply, getPrototypeOf } = Reflect;
const { then } = Promise.prototype;

function listen(exports, hub) {
  if (typeof exports?.prototype?.loadFilesAsync === 'function') return watchLoading(exports, hub);
  // Since version 12 the Runner is a class of an ES module, which may be required.
  return watchTests(typeof exports === 'function' ? exports : exports?.Runner, hub);
}

// As a module that is imported.
function replaced(Runner, hub) {
  watchTests(Runner, hub);
  return Runner;
}

module.exports = { listen, replaced };

// A file that cannot be loaded ends the run before any test.
function watchLoading(Mocha, hub) {
  const loading = new SafeWeakMap();
  const told = hub.quietly((event, _, file, mocha) => {
    if (event === 'pre-require') loading.set(mocha, file);
  });
  const begins = hub.quietly(({ suite }) => {
    const suites = getPrototypeOf(suite);
    if (!loading.has(suites)) hub.interceptInherited(suites, 'emit', { before: told });
    loading.set(suites, true);
  });
  const failed = hub.quietly((mocha, error) => hub.end(hub.sinceStart(), 'failed', { titles: [], file: loading.get(mocha), error }));
  // Calls do not overlap.
  let loader;
  const hooks = {
    before() {
      loader = this;
      begins(this);
    },
    after: hub.quietly((loaded) => {
      const mocha = loader;
      if (loaded !== undefined) apply(then, loaded, [undefined, (error) => failed(mocha, error)]);
    }),
    failed: (error) => failed(loader, error),
  };
  intercept(Mocha.prototype, 'loadFiles', hooks);
  intercept(Mocha.prototype, 'loadFilesAsync', hooks);
  return true;
}

function watchTests(Runner, hub) {
  if (typeof Runner !== 'function' || typeof Runner.prototype?.runTests !== 'function') return false;
  const open = new SafeWeakMap();
  const told = hub.quietly(function (event, subject, error) {
    if (event === 'start' || event === 'end') hub.round(event === 'end');
    if (event !== 'test' && event !== 'hook' && event !== 'pass' && event !== 'fail' && event !== 'pending') return;
    // The tests ran in other processes, which tell of them.
    if (apply(this.isParallelMode ?? isNever, this, [])) return;
    if (event === 'test' || event === 'hook') {
      open.set(subject, hub.begin());
      return;
    }
    const about = { titles: titlesOf(subject), file: subject.file, duration: subject.duration };
    const test = open.get(subject);
    if (event === 'pass') hub.end(test, 'passed', about);
    else if (event === 'pending') hub.end(test, 'skipped', about);
    else {
      const limit = hub.dataOf(error, 'code') === 'ERR_MOCHA_TIMEOUT' ? hub.dataOf(error, 'timeout') ?? null : undefined;
      hub.end(test ?? hub.begin(), 'failed', { ...about, error, stack: hub.dataOf(error, 'stack'), limit });
    }
  });
  return hub.interceptInherited(Runner.prototype, 'emit', { before: told });
}

const isNever = () => false;

function titlesOf(subject) {
  const inner = [];
  for (let at = subject; at; at = at.parent) if (at.title) append(inner, at.title);
  const titles = [];
  for (let i = inner.length - 1; i >= 0; i--) append(titles, inner[i]);
  return titles;
}
