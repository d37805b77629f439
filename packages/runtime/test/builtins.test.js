'use strict';
const test = require('node:test');
const assert = require('node:assert/strict');
const vm = require('node:vm');
const { recorderOver } = require('./support.js');

const builtins = new vm.Script(require('../make-runtime.js').builtins());

// A realm of its own, so that the tests' own built-ins stay as they are.
function realmWith() {
  const made = recorderOver({ sites: { 2: { tail: 1 } } });
  const context = vm.createContext({});
  const plain = vm.runInContext('globalThis', vm.createContext({}));
  const realm = vm.runInContext('globalThis', context);
  const hidden = new Map();
  builtins.runInContext(context)(realm, made.recorder, (wrapper, original) => hidden.set(wrapper, original));
  const run = (code) => vm.runInContext(code, context);
  realm.take = (o) => made.helpers.v(16, o);
  const effects = () => made.events().filter((e) => e.effect).map((e) => `${e.effect}(${e.values.join(', ')})`);
  return { ...made, run, realm, plain, hidden, effects };
}

test('array methods tell what they did', () => {
  const { run, effects, events } = realmWith();
  run(`const a = take([3, 1, 2]);
    a.push(4); a.push(5, 6); a.push(); a.pop(); a.shift(); a.unshift(7, 8); a.splice(1, 2, 'x'); a.splice(-1); a.splice('1'); a.splice();
    a.sort(); a.reverse(); a.fill(0); a.copyWithin(0, 1);`);
  assert.deepEqual(effects(), ['1(4)', '1(5, 6)', '1()', '2()', '3()', '4(7, 8)', '5(1, 2, "x")', '5(4, 1)', '6()', '6()', '6()', '6()', '6()']);
  assert.ok(events().filter((e) => e.look).length >= 6);
});

test('maps, sets and objects tell what was done to them', () => {
  const { run, effects } = realmWith();
  run(`const m = take(new Map()), s = take(new Set()), o = take({}), p = take({ z: 1 }), w = take(new WeakMap());
    m.set('k', 1); m.delete('k'); m.delete('k'); m.clear(); s.add(2); s.delete(2); s.clear(); w.set(o, 5);
    Object.assign(o, { q: 1 }); Object.defineProperty(o, 'd', { value: 2 }); Object.defineProperty(o, 'g', { get() {} });
    o.__defineGetter__('h', () => 1);
    Object.setPrototypeOf(o, null); Object.setPrototypeOf(o, p);
    Reflect.set(p, 'z', 3); Reflect.set({}, 'z', 4, p); Reflect.deleteProperty(p, 'z');
    Object.seal(p); Object.freeze(p); Object.preventExtensions(o); Reflect.set(p, 'z', 9);`);
  assert.deepEqual(effects().map((e) => e.replace(/#\d+/g, '#')), ['7("k", 1)', '8("k")', '9()', '10(2)', '8(2)', '9()', '7(#, 5)', '6()',
    '11("d", 2, false)', '11("g", accessor)', '11("h", accessor)', '13(null)', '13(#)', '17("z", 3)', '17("z", 4)', '12("z")', '15()', '14()', '16()']);
});

test('objects that were not recorded are not spoken of', () => {
  const { run, effects } = realmWith();
  run(`[].push(1); new Map([[1, 2]]).set(3, 4); Object.assign({}, { a: 1 }); Object.freeze({});
    const inner = [1]; take(new (class { constructor() { this.k = new (class { constructor() { this.list = inner; } })(); } })()); inner.push(2);`);
  assert.deepEqual(effects(), []);
});

test('the wrappers look like the originals', () => {
  const { run, plain, realm, hidden } = realmWith();
  const holders = ['Array.prototype', 'Map.prototype', 'Set.prototype', 'WeakMap.prototype', 'WeakSet.prototype', 'Object', 'Reflect',
    'Object.prototype', 'Object.getPrototypeOf(Int8Array.prototype)', 'Date.prototype'];
  let wrapped = 0;
  for (const holder of holders) {
    const ours = run(holder);
    const theirs = vm.runInContext(holder, vm.createContext({}));
    assert.deepEqual(Reflect.ownKeys(ours), Reflect.ownKeys(theirs));
    for (const key of Reflect.ownKeys(theirs)) {
      const a = Object.getOwnPropertyDescriptor(ours, key);
      const b = Object.getOwnPropertyDescriptor(theirs, key);
      assert.deepEqual([a.writable, a.enumerable, a.configurable], [b.writable, b.enumerable, b.configurable], `${holder}.${String(key)}`);
      if (typeof b.value !== 'function' || !hidden.has(a.value)) continue;
      wrapped++;
      assert.deepEqual(Reflect.ownKeys(a.value), Reflect.ownKeys(b.value));
      for (const own of ['name', 'length']) {
        assert.deepEqual({ ...Object.getOwnPropertyDescriptor(a.value, own) }, { ...Object.getOwnPropertyDescriptor(b.value, own) }, `${holder}.${key}.${own}`);
      }
      assert.throws(() => Reflect.construct(function () {}, [], a.value));
      assert.equal(Object.getPrototypeOf(a.value), realm.Function?.prototype ?? run('Function.prototype'));
    }
  }
  assert.equal(wrapped, hidden.size);
  assert.ok(wrapped > 35);
  assert.ok(plain !== realm);
});

test('frozen built-ins stay as they are', () => {
  const context = vm.createContext({});
  const realm = vm.runInContext('Object.freeze(Array.prototype); Object.freeze(Reflect); globalThis', context);
  const before = vm.runInContext('Array.prototype.push', context);
  const { recorder } = recorderOver();
  builtins.runInContext(context)(realm, recorder, () => {});
  assert.equal(vm.runInContext('Array.prototype.push', context), before);
});

test('proxies see the same traps', () => {
  const program = `
    const log = [];
    const watch = (target) => new Proxy(target, new Proxy({}, { get: (_, trap) => (log.push(trap), undefined) }));
    for (const target of [[1, 2, 3], { length: 1 }]) {
      const p = watch(target);
      Array.prototype.push.call(p, 1); Array.prototype.splice.call(p, 0, 1); Array.prototype.sort.call(p);
      Object.assign(p, { a: 1 }); Object.defineProperty(p, 'b', { value: 1, configurable: true }); Reflect.set(p, 'c', 1);
      Reflect.deleteProperty(p, 'c'); Object.setPrototypeOf(p, null); Reflect.preventExtensions(p); Object.freeze(p);
    }
    const { proxy, revoke } = Proxy.revocable({}, { defineProperty() { revoke(); return true; } });
    Object.defineProperty(proxy, 'x', { value: 1, configurable: true });
    log.join()`;
  const { run } = realmWith();
  assert.equal(run(program), vm.runInContext(program, vm.createContext({})));
});

test('an accessor among the elements is never called', () => {
  const made = recorderOver({ watchesDefinitions: true });
  const context = vm.createContext({ take: (o) => made.helpers.v(16, o) });
  builtins.runInContext(context)(vm.runInContext('globalThis', context), made.recorder, () => {});
  vm.runInContext(`take([1, , 2]); const a = [1]; Object.defineProperty(a, 0, { get() { throw new Error('called'); } }); take(a); take([a]);`, context);
  // The prototype of the realm's arrays is an array too, and is looked at with the first of them.
  assert.deepEqual(made.events().filter((e) => e.look && e.class === 1).map((e) => e.entries.map((x) => x.replace(/#\d+/, '#'))), [['0: 1', '2: 2'], [], ['0: accessor'], ['0: #']]);
});
