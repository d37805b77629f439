'use strict';
const test = require('node:test');
const assert = require('node:assert/strict');
const util = require('node:util');
const vm = require('node:vm');
const { recorderOver, decode } = require('./support.js');
const { CLASS } = require('../contract.generated.cjs');

const isPrototype = (look) => look.entries.some((entry) => entry.startsWith('"constructor"'));

const values = (events) => events.filter((e) => e.site).map((e) => e.value);
const looks = (events) => events.filter((e) => e.look);

test('a proxy is asked about, not stored into again and again', () => {
  // Through a symbol that is not private a store is heard of; as one into a proxy does, it throws. Each site may try once, and the first
  // use of all.
  let nStores = 0;
  const traps = { get: () => undefined, set() { nStores++; throw new TypeError('takes no stamp'); } };
  const { helpers, events } = recorderOver({ idSymbol: Symbol('stamp'), isProxy: util.types.isProxy });
  const proxies = Array.from({ length: 100 }, () => new Proxy({}, traps));
  for (let round = 0; round < 3; round++) {
    for (const proxy of proxies) {
      helpers.v(16, proxy);
      helpers.v(16, { holds: proxy });
      helpers.t(32, proxy);
    }
  }
  assert.ok(nStores <= 3, `${nStores} stores`);
  assert.equal(looks(events()).filter((look) => look.class === CLASS.PROXY).length, proxies.length);
});

for (const identity of ['symbol', 'weakmap']) {
  const make = (more) => recorderOver({ identity, ...more });

  test(`${identity}: primitive values`, () => {
    const { helpers, events } = make();
    const long = 'x'.repeat(70000);
    const all = [1, -1, 0, -0, 1.5, NaN, 2 ** 31, -(2 ** 31), Infinity, 'abc', 'héé', 'snow\u2603man', '', '\ud800', true, false,
      null, undefined, 12n, -(2n ** 70n), 1n << 5000n, long, 'y'.repeat(300)];
    for (const x of all) assert.ok(Object.is(helpers.v(16, x), x));
    assert.deepEqual(values(events()), ['1', '-1', '0', '-0.0', '1.5f', 'NaNf', '2147483648f', '-2147483648', 'Infinityf', '"abc"',
      '"héé"', '"snow\u2603man"', '""', JSON.stringify('\ud800'), 'true', 'false', 'null', 'undefined', '12n', `${-(2n ** 70n)}n`, 'not captured',
      'long(70000)', JSON.stringify('y'.repeat(300))]);
  });

  test(`${identity}: strings and symbols are written once`, () => {
    const { helpers, events, recorder } = make();
    const s = Symbol('own');
    for (const x of ['a', s, Symbol.iterator, Symbol.for('r'), Symbol()]) helpers.v(16, x);
    const before = recorder.cursor();
    for (const x of ['a', s, Symbol.iterator, Symbol.for('r')]) helpers.v(16, x);
    assert.equal(recorder.cursor() - before, 8);
    assert.deepEqual(values(events()).slice(0, 5), ['"a"', 'Symbol(own)', 'Symbol(Symbol.iterator)', 'Symbol(r)', 'Symbol()']);
    assert.deepEqual(values(events()).slice(5), values(events()).slice(0, 4));
  });

  test(`${identity}: control flow, frames and tails`, () => {
    const sites = { 1: { tail: 1 }, 5: { tail: 1 }, 6: { tail: 1 }, 7: { tail: 'key' } };
    const { helpers: w, events } = make({ sites });
    assert.equal(w.E(16, 0), 1);
    assert.equal(w.S(32), 2);
    assert.equal(w.E(16, 2), 3);
    assert.equal(w.b(52, 'yes'), 'yes');
    w.l(52, 0);
    w.h(48, null);
    w.h(48, 0);
    assert.equal(w.m(64), undefined);
    assert.equal(w.R(48, w.m(64), 7), 7);
    assert.equal(w.k(80, 3, 'e'), 'e');
    assert.equal(w.j(96, 3), undefined);
    assert.equal(w.a(1, 2, 3), 1);
    assert.equal(w.x(eval, 'text'), 'text');
    assert.deepEqual(w.T, []);
    assert.equal(w.Q(112, 'primitive', 0, 2.5, 'k'), 2.5);
    assert.equal(w.G(112, 1, 'primitive', 0, {}), 1);
    assert.deepEqual(events().map((e) => [e.site, e.value, e.tail].filter((x) => x !== undefined).join(' ')), [
      '1 none 0', '2 none', '1 none 2', '3 true', '3 false', '3 false', '3 true', '4 none', '4 none', '3 7', '5 "e" 3', '6 none 3',
      '7 2.5f 0,"k"', '7 1 0,not captured']);
  });

  test(`${identity}: an object is looked at when first used, with the plain ones inside`, () => {
    const { helpers, events } = make();
    class Point { constructor() { this.x = 1; } }
    const o = { a: 1, inner: { list: [1, , 'z'], p: new Point() }, f() {}, get g() { throw new Error('called'); }, [Symbol('s')]: null };
    o.self = o;
    helpers.v(16, o);
    helpers.v(16, o);
    helpers.v(16, o.inner.p);
    helpers.v(16, o.f);
    const got = events();
    const id = Number(values(got)[0].slice(1));
    assert.equal(values(got)[1], `#${id}`);
    // The prototype of Point is looked at once, with its first instance.
    const [top, inner, list, point, f] = looks(got).filter((look) => !isPrototype(look));
    assert.equal(looks(got).filter(isPrototype).length, 1);
    assert.equal(top.look, id);
    assert.equal(top.class, 0);
    assert.equal(top.size, 6);
    assert.deepEqual(top.entries.map((e) => e.replace(/#\d+/, '#')), ['"a": 1', '"inner": #', '"f": #', '"g": accessor', '"self": #', 'Symbol(s): null']);
    assert.ok(top.entries.includes(`"self": #${id}`));
    assert.deepEqual(inner.entries.map((e) => e.replace(/#\d+/, '#')), ['"list": #', '"p": #']);
    assert.equal(list.class, 1);
    assert.equal(list.size, 3);
    assert.deepEqual(list.entries, ['0: 1', '2: "z"']);
    assert.equal(point.class, 3);
    assert.equal(point.name, 'Point');
    assert.deepEqual(point.entries, ['"x": 1']);
    assert.equal(f.class, 2);
    assert.equal(f.name, 'f');
    assert.ok(got.findIndex((e) => e.look === id) < got.findIndex((e) => e.site));
  });

  test(`${identity}: classes`, () => {
    const { helpers, events } = make();
    class MyMap extends Map {}
    const all = [
      [[1], 1, ['0: 1']], [() => 1, 2, []], [new (class K {})(), 3, []],
      [new Map([['a', 1]]), 4, ['"a": 1']], [new MyMap([[1, 2]]), 4, ['1: 2']], [Object.create(Map.prototype), 3, []],
      [new Set(['q']), 5, ['"q": true']], [new Date(5), 6, ['undefined: 5']], [/ab/g, 7, ['undefined: "ab"']],
      [new RangeError('bad'), 8, ['"stack": not captured', '"message": "bad"']], [Promise.resolve(), 9, []],
      [new Uint8Array([1, 2]), 11, ['0: 1', '1: 2']], [new BigInt64Array([1n]), 11, ['0: 1n']], [new ArrayBuffer(2), 11, ['0: 0', '1: 0']],
      [new Proxy({}, {}), 10, []],
      [Object(5), 12, ['undefined: 5']], [Object('s'), 12, ['undefined: "s"']], [Object(1n), 12, ['undefined: 1n']],
      [new WeakMap(), 14, []], [new WeakRef({}), 14, []], [globalThis, 3, []], [Object.create(null), 0, []],
    ];
    for (const [x] of all) helpers.v(16, x);
    const got = events();
    const ids = values(got).map((s) => Number(s.slice(1)));
    all.forEach(([, kind, entries], i) => {
      const look = looks(got).find((l) => l.look === ids[i]);
      assert.equal(look.class, kind, `class of value ${i}`);
      assert.deepEqual(look.entries, entries, `entries of value ${i}`);
    });
    assert.equal(looks(got).find((l) => l.look === ids[4]).name, 'MyMap');
  });

  test(`${identity}: arguments`, () => {
    const { helpers, events } = make();
    (function () { helpers.A(16, arguments); })(1, 'two');
    (function () { helpers.v(16, arguments); })(1);
    const [event, look] = events();
    assert.equal(event.value, '#1');
    assert.equal(look.class, 13);
    assert.deepEqual(look.entries, ['0: 1', '1: "two"']);
    assert.equal(looks(events()).at(-1).class, 13);
  });

  test(`${identity}: literals`, () => {
    const sites = { 1: { keys: ['a', 'b'] }, 2: { elements: 3 }, 4: { elements: 5000 } };
    const { helpers: w, events } = make({ sites });
    const inner = w.o(16, { a: 1, b: 'x' });
    w.y(32, [inner, -0, null]);
    w.z(48, { ...inner, c: [2] });
    w.v(48, inner);
    w.y(64, Array(5000).fill(1));
    const [first, second, third, look, nested, again, large] = events();
    assert.deepEqual(first, { site: 1, value: '#1', tail: ['1', '"x"'] });
    assert.deepEqual(second, { site: 2, value: '#2', tail: ['#1', '-0.0', 'null'] });
    assert.equal(third.value, '#3');
    assert.equal(look.look, 3);
    assert.equal(nested.class, 1);
    assert.equal(again.value, '#1');
    assert.equal(large.tail.length, 5000);
  });

  test(`${identity}: receivers`, () => {
    const { helpers: w, events } = make();
    class Node { constructor() { w.t(16, this); this.x = 1; w.t(16, this); } }
    new Node();
    const foreign = Object.assign(Object.create(Node.prototype), { y: 2 });
    w.t(16, foreign);
    w.t(16, undefined);
    const got = events();
    assert.match(values(got)[0], /^new #\d+ of #\d+$/);
    assert.match(values(got)[1], /^#\d+$/);
    assert.match(values(got)[2], /^#\d+$/);
    const [prototype, ...others] = looks(got);
    assert.deepEqual(prototype.entries.map((e) => e.replace(/#\d+/, '#')), ['"constructor": #']);
    assert.deepEqual(others.map((l) => [l.name, l.entries]), [['Node', ['"y": 2']]]);
    assert.equal(values(got)[3], 'undefined');
  });

  test(`${identity}: property writes name their object`, () => {
    const sites = { 1: { tail: 1 }, 2: { tail: 'key' } };
    const { helpers: w, events } = make({ sites });
    const o = w.n(48, function f() {});
    w.P(16, o, 0, 1);
    w.P(16, o, 0, 'text');
    w.D(16, 0.5, 5);
    w.Q(32, o, 0, o, 3);
    w.Q(32, o, 0, -0, 'key');
    assert.deepEqual(events().slice(1).map((e) => [e.value, e.tail]), [['1', 1], ['"text"', 1], ['0.5f', 0], ['#1', [1, '3']], ['-0.0', [1, '"key"']]]);
  });

  test(`${identity}: arithmetic and literals`, () => {
    const sites = { 2: { tail: 1 } };
    const { helpers: w, events } = make({ sites });
    const o = w.n(48, () => {});
    for (const x of [1, 0, -0, 2.5, 3n]) for (const helper of ['d', 'u']) assert.ok(Object.is(w[helper](16, x), x));
    assert.equal(w.c(16, 'literal'), 'literal');
    assert.equal(w.B(32, o, 1, 1.5), 1.5);
    assert.equal(w.B(32, o, 0, 4n), 4n);
    assert.equal(w.C(32, o, 0, 'literal'), 'literal');
    assert.deepEqual(events().slice(1).map((e) => [e.value, e.tail].filter((x) => x !== undefined).join(' ')), ['1f', '1', '0f', '0', '-0.0', '-0.0', '2.5f', '2.5f',
      '3n', '3n', 'none', '1.5f 1', '4n 1', 'none 1']);
  });

  test(`${identity}: no user code runs`, () => {
    const { helpers: w, events } = make({ sites: { 2: { tail: 1 } } });
    const calls = [];
    const handler = new Proxy({}, { get: (_, trap) => (calls.push(trap), undefined) });
    const proxy = new Proxy({}, handler);
    const callable = new Proxy(function () {}, handler);
    const child = Object.create(proxy);
    const oddClass = Object.create({ get constructor() { calls.push('constructor'); } });
    const oddName = Object.create({ constructor: callable });
    const error = new Error('x');
    const prepare = Error.prepareStackTrace;
    Error.prepareStackTrace = () => calls.push('prepareStackTrace');
    const holder = {};
    Error.captureStackTrace(holder);
    const array = [1, , 3];
    Object.defineProperty(array, 3, { get: () => calls.push('element') });
    for (const x of [proxy, callable, child, oddClass, oddName, error, holder, array, { proxy, child }, new Map([[proxy, proxy]])]) {
      w.v(16, x);
      w.t(16, x);
      w.P(32, x, 0, x);
    }
    Error.prepareStackTrace = prepare;
    assert.deepEqual(calls, []);
    const ids = values(events());
    assert.equal(ids[0], ids[1]);
  });

  test(`${identity}: frozen objects and namespaces keep their number, and show nothing`, async () => {
    const { helpers: w, events } = make();
    const frozen = Object.freeze({ a: 1 });
    const namespace = await import('node:path');
    for (const x of [frozen, namespace, frozen, namespace]) w.v(16, x);
    const [a, b, c, d] = values(events());
    assert.deepEqual([a, b], [c, d]);
    assert.equal(looks(events()).find((l) => `#${l.look}` === b).class, 15);
    assert.deepEqual(Reflect.ownKeys(frozen), ['a']);
  });

  test(`${identity}: chunks`, () => {
    const chunkWords = 1 << 17;
    const { helpers: w, events } = make({ chunkWords, sites: { 1: { tail: 1 } } });
    const n = 50000;
    for (let i = 0; i < n; i++) {
      w.E(16, i);
      w.v(32, `s${i % 100}`);
    }
    const got = events();
    assert.equal(got.length, 2 * n);
    got.forEach((e, i) => assert.equal(i % 2 === 0 ? e.tail : e.value, i % 2 === 0 ? i >> 1 : `"s${(i >> 1) % 100}"`));
  });

  test(`${identity}: records of the loader`, () => {
    const { recorder, helpers: w, events } = make();
    recorder.output(1, 3, 'hi\n');
    recorder.output(2, 3, undefined);
    recorder.uncaught(5, true);
    const o = w.z(16, [1]);
    recorder.effect(1, o, 'v', 2);
    recorder.effect(1, {}, 'unseen');
    recorder.refill(o);
    recorder.threadEnd(9);
    assert.deepEqual(events().filter((e) => !e.site && !e.look), [
      { output: 1, bytes: 3, text: 'hi\n' }, { output: 2, bytes: 3, text: '' }, { uncaught: '5', rejection: true },
      { effect: 1, object: 1, values: ['"v"', '2'] }, { effect: 6, object: 1, values: [] }, { end: 9 }]);
  });

  test(`${identity}: after every single store the memory holds whole events`, () => {
    const real = new Int32Array(1 << 17);
    const sites = { 1: { tail: 1 }, 2: { tail: 'key' }, 3: { keys: ['a', 'b'] }, 4: {} };
    let recorder;
    let stores = 0;
    const words = new Proxy(real, {
      get: (target, key) => target[key],
      set(target, key, value) {
        target[key] = value;
        if (recorder !== undefined && ++stores % 3 === 0) {
          // As a reader of a killed process would: up to the first zero header. An event cut off makes it throw.
          decode([target], sites, { killed: true });
        }
        return true;
      },
    });
    const made = recorderOver({ identity, sites, words });
    recorder = made.recorder;
    const w = made.helpers;
    const o = w.o(48, { a: 'text', b: { c: [1, 'two', 2.5] } });
    w.P(16, o, 0, 'another');
    w.Q(32, o, 0, { deep: { deeper: 'value' } }, 'key');
    w.v(64, [o, 'x', new Map([[{}, 1]])]);
    recorder.effect(1, o, 'pushed', {});
    assert.ok(stores > 50);
  });
}

test('built-ins patched by the program do not matter', () => {
  const context = vm.createContext({ recorderSource: require('../make-runtime.js').recorder() });
  const cursor = vm.runInContext(`
    const words = new Int32Array(1 << 18);
    const recorder = eval(recorderSource)({ words, state: [0, 1 << 17], advance() {}, siteNames: () => ['a'], arity: () => 1 });
    const object = { a: 1 }, map = new Map([[{}, 1]]), set = new Set([1]), symbol = Symbol('s');
    const boom = () => { throw new Error('user code ran'); };
    const names = Object.getOwnPropertyNames, define = Object.defineProperty, all = [Array.prototype, Map.prototype, Set.prototype,
      WeakMap.prototype, String.prototype, Function.prototype, Reflect, Object, Array, Symbol.prototype, BigInt.prototype,
      Object.getPrototypeOf(map.entries()), Object.getPrototypeOf(set.values()), Object.prototype, Number.prototype];
    for (const o of all) for (const key of names(o)) {
      try { define(o, key, { __proto__: null, value: boom, writable: true, configurable: true }); } catch {}
    }
    for (const key of ['0', '1', 'value', 'get', 'done', 'length']) define(Object.prototype, key, { __proto__: null, get: boom, set: boom, configurable: true });
    const w = recorder.helpers;
    w.v(16, object); w.v(16, map); w.v(16, set); w.v(16, symbol); w.v(16, 'text'); w.v(16, 12n); w.v(16, [1, , 2]); w.v(16, /x/); w.v(16, 1.5);
    w.o(16, { a: [1] }); w.y(16, ['e']); w.z(16, { get q() { boom(); } }); w.t(16, new class {}); w.P(16, {}, 0, {}); w.Q(16, [], 0, () => 1, 'k');
    w.v(16, new Error('message')); w.v(16, function named() {}); recorder.effect(1, object, 1, 2); recorder.output(1, 1, 'o');
    recorder.cursor();`, context);
  assert.ok(cursor > 100);
});
