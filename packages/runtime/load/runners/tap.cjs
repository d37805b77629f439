// tap: the base class of its tests. Each test has a parser over its own stream of TAP, and gets what that found. Assertions throw nothing.
'use strict';
const path = require('path');
const { intercept } = load('load/hide.cjs');
const { SafeWeakMap, append, includes, startsWith } = load('load/primordials.cjs');

function listen(exports, hub) {
  const Base = typeof exports === 'function' ? exports : exports?.Base;
  if (typeof Base?.prototype?.oncomplete !== 'function') return false;
  replaced(Base, hub);
  return true;
}

function replaced(Base, hub) {
  const open = new SafeWeakMap();
  // Of a test, the names of those in it: all, and those that failed.
  const namesIn = new SafeWeakMap();
  const begins = hub.quietly((test) => open.set(test, hub.begin()));
  const ends = hub.quietly((test, results) => ended(hub, test, results, open.get(test), namesIn));
  intercept(Base.prototype, 'runMain', {
    before() {
      begins(this);
    },
  });
  intercept(Base.prototype, 'oncomplete', {
    before(results) {
      ends(this, results);
    },
  });
  return Base;
}

module.exports = { listen, replaced };

function ended(hub, test, results, kept, namesIn) {
  const inner = namesIn.get(test);
  const told = own(results.failures, inner?.failed);
  // One that passed fails as its parent sees it, if a hook fails behind it: the hook says more.
  const ofHooks = own(told, inner?.all);
  const failures = ofHooks.length > 0 ? ofHooks : told;
  if (test.parent !== undefined) {
    const names = namesIn.get(test.parent) ?? { all: [], failed: [] };
    append(names.all, test.name);
    if (!results.ok) append(names.failed, test.name);
    namesIn.set(test.parent, names);
  }
  const { name } = test.constructor;
  // What runs in another process tells of its tests itself, if it gets as far as that.
  if (name === 'Spawn' || name === 'Worker') {
    if (!results.ok && !hasAssertion(results)) {
      const file = path.resolve(test.name);
      hub.end(undefined, 'failed', { key: hub.keyOfFile(file), titles: [], file, message: UNKNOWN });
    }
    return;
  }
  const titles = titlesOf(test);
  const isRoot = test.parent === undefined;
  const about = { titles, file: fileOf(), duration: test.time };
  if (failures.length > 0) {
    const first = failures[0];
    // In the process that starts the others, a file that told nothing of itself.
    if (isRoot && about.file === undefined) {
      const file = path.resolve(`${first.name}`);
      hub.end(undefined, 'failed', { key: hub.keyOfFile(file), titles, file, message: UNKNOWN });
      return;
    }
    if (isRoot) append(titles, `${first.name ?? first.tapError}`);
    const limit = test.timedOut === true ? test.options?.timeout || null : undefined;
    hub.end(kept, 'failed', { ...about, message: messageOf(first), stack: stackOf(first), limit });
  } else if (!isRoot && results.ok) hub.end(kept, test.options?.todo ? 'todo' : test.options?.skip ? 'skipped' : 'passed', about);
}

const UNKNOWN = 'the process of this file ended before a test of it was known';

function hasAssertion({ pass, failures }) {
  if (pass > 0) return true;
  for (let i = 0; i < failures.length; i++) if (!failures[i].tapError) return true;
  return false;
}

// Failures that are not those of tests inside.
function own(failures, inner) {
  const found = [];
  for (let i = 0; i < failures.length; i++) {
    const { name, todo, skip } = failures[i];
    let isInner = Boolean(todo || skip);
    for (let k = 0; inner !== undefined && k < inner.length; k++) isInner ||= inner[k] === name;
    if (!isInner) append(found, failures[i]);
  }
  return found;
}

function titlesOf(test) {
  const inner = [];
  for (let at = test; at?.parent !== undefined && at.parent !== null; at = at.parent) append(inner, at.name);
  const titles = [];
  for (let i = inner.length - 1; i >= 0; i--) append(titles, inner[i]);
  return titles;
}

function fileOf() {
  const script = process.argv[1];
  return typeof script === 'string' && !includes(script, 'node_modules') ? path.resolve(script) : undefined;
}

function messageOf({ name, tapError, diag }) {
  if (typeof tapError === 'string') return tapError;
  const text = typeof name === 'string' && name !== '' ? name : 'an assertion failed';
  const isPlain = (value) => value !== null && typeof value !== 'object' && typeof value !== 'undefined';
  if (!isPlain(diag?.found) || !isPlain(diag?.wanted)) return text;
  return `${text}: found ${diag.found}, wanted ${diag.wanted}`;
}

function stackOf({ diag }) {
  const at = diag?.at;
  if (typeof at !== 'object' || at === null) return '';
  const name = at.fileName ?? at.file;
  const line = at.lineNumber ?? at.line;
  if (typeof name !== 'string' || typeof line !== 'number') return '';
  const file = startsWith(name, 'file:') ? name : path.resolve(name);
  return `    at ${file}:${line}:${at.columnNumber ?? at.column ?? 1}`;
}
