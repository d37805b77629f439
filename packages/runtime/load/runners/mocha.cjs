// Mocha: the events of its Runner.
'use strict';
const { SafeWeakMap, append } = load('load/primordials.cjs');

const { apply } = Reflect;

function listen(Runner, hub) {
  if (typeof Runner !== 'function' || typeof Runner.prototype?.runTests !== 'function') return false;
  const open = new SafeWeakMap();
  const told = hub.quietly(function (event, subject, error) {
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
    else hub.end(test ?? hub.begin(), 'failed', { ...about, error, stack: hub.dataOf(error, 'stack') });
  });
  return hub.interceptInherited(Runner.prototype, 'emit', { before: told });
}

module.exports = { listen };

const isNever = () => false;

function titlesOf(subject) {
  const inner = [];
  for (let at = subject; at; at = at.parent) if (at.title) append(inner, at.title);
  const titles = [];
  for (let i = inner.length - 1; i >= 0; i--) append(titles, inner[i]);
  return titles;
}
