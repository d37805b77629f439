// What the helpers write where only the properties that questions need are recorded.
'use strict';
const test = require('node:test');
const assert = require('node:assert/strict');
const { recorderOver } = require('./support.js');

for (const identity of ['symbol', 'weakmap']) {
  const make = (sites) => {
    const made = recorderOver({ identity, sites, needed: [false, 'x'], isFiltered: true, isProxy: require('node:util').types.isProxy, isAssignment: () => true,
      siteNames: (site) => sites[site].keys ?? ['x'] });
    const { helpers: w } = made;
    const number = (o) => (w.I === undefined ? 0 : o?.[w.I] | 0);
    // As the instrumenter writes `o.x = value`.
    const write = (S, o, value) => w.U(S, o, w.L(S, o, number(o)), set(o, value), typeof value === 'object' ? number(value) : 0);
    return { ...made, number, write };
  };
  // Refused writes are not errors here.
  const set = new Function('o', 'x', 'o.x = x; return x');
  const told = (events) => events.filter((e) => e.site || e.look).map((e) => (e.look ? `look #${e.look} ${e.name} {${e.entries}}` : `${e.value} → #${e.tail}`));

  test(`${identity}: an instance is looked at before the first write to it`, () => {
    const { events, write } = make({ 1: { tail: 1 } });
    class A {}
    const first = new A();
    write(16, first, 5);
    const more = [1, 2, 3].map(() => new A());
    const before = events().length;
    more.forEach((o, i) => write(16, o, i));
    write(16, more[0], 'text');
    write(16, more[1], more[2]);
    const base = told(events().slice(before));
    const ids = base.filter((line) => line.startsWith('look')).map((line) => /#(\d+)/.exec(line)[1]);
    assert.deepEqual(base, [
      `look #${ids[0]} A {}`, `0 → #${ids[0]}`, `look #${ids[1]} A {}`, `1 → #${ids[1]}`, `look #${ids[2]} A {}`, `2 → #${ids[2]}`,
      `"text" → #${ids[0]}`, `#${ids[2]} → #${ids[1]}`]);
  });

  test(`${identity}: what only inherits from a known prototype is no instance`, () => {
    const { helpers: w, events } = make({ 1: { tail: 1 } });
    class A {}
    const meet = (o) => w.N(o, 'x');
    meet(Object.create(A.prototype));
    meet(Object.create(A.prototype));
    const before = events().length;
    meet(Reflect.construct(Array, [4], A));
    meet(Object.setPrototypeOf(function late() {}, A.prototype));
    meet(Object.assign([], { x: 11 }));
    const looks = events().slice(before).filter((e) => e.look).map((e) => `${e.class} ${e.name} {${e.entries}}`);
    assert.deepEqual(looks, ['1 A {}', '2 late {}', '1  {"x": 11}']);
  });

  test(`${identity}: what an object held under a needed key is told, and nothing else`, () => {
    const { events, write } = make({ 1: { tail: 1 } });
    class A {}
    write(16, new A(), 0);
    write(16, Object.assign(new A(), { x: 7, y: 8 }), 9);
    const lines = told(events());
    assert.match(lines.at(-2), /^look #\d+ A \{"x": 7\}$/);
    assert.match(lines.at(-1), /^9 → #\d+$/);
  });

  test(`${identity}: an object that refuses the write is not named`, () => {
    const { events, write } = make({ 1: { tail: 1 } });
    class A {}
    write(16, new A(), 1);
    write(16, Object.preventExtensions(new A()), 2);
    write(16, Object.freeze(Object.assign(new A(), { x: 3 })), 4);
    write(16, null ?? 'primitive', 5);
    assert.deepEqual(told(events()).filter((line) => line.endsWith('→ #0')), ['2 → #0', '4 → #0', '5 → #0']);
  });

  test(`${identity}: an instance is met as its constructor begins, whatever it inherits from`, () => {
    const { helpers: w, events, number, write } = make({ 1: { tail: 1 } });
    function A(x) {
      if (new.target !== undefined) w.J(16, this, new.target);
      write(16, this, x);
    }
    class B extends A {}
    const lines = (act) => {
      const before = events().length;
      act();
      return told(events().slice(before)).map((line) => line.replace(/#\d+/g, '#'));
    };
    for (let i = 0; i < 3; i++) assert.deepEqual(lines(() => new A(1)).slice(-1), ['1 → #']);
    assert.deepEqual(lines(() => new A(undefined)), ['look # A {}', 'undefined → #']);
    for (let i = 0; i < 2; i++) new B(2);
    assert.deepEqual(lines(() => new B(3)), ['look # B {}', '3 → #']);
    assert.deepEqual(lines(() => new A(4)), ['look # A {}', '4 → #']);
    const inherited = [];
    A.prototype = { x: 'inherited' };
    for (let i = 0; i < 3; i++) inherited.push(new A(5));
    A.prototype = undefined;
    inherited.push(new A(6));
    const called = Object.create(null);
    assert.deepEqual(lines(() => A.call(called, 7)).slice(-1), ['7 → #']);
    const numbers = inherited.map((o) => (w.I === undefined ? o : number(o)));
    assert.equal(new Set(numbers).size, inherited.length);
    const traps = new Proxy({}, { get: (_, name) => (name === 'get' ? undefined : () => assert.fail(`${String(name)} was called`)) });
    for (let i = 0; i < 3; i++) Reflect.construct(A, [8], new Proxy(A, traps));
  });

  test(`${identity}: no trap of a proxy is called`, () => {
    const { helpers: w, write } = make({ 1: { tail: 1 } });
    const traps = new Proxy({}, { get: (_, name) => () => assert.fail(`${String(name)} was called`) });
    const proxy = new Proxy({}, traps);
    for (let round = 0; round < 3; round++) {
      w.U(16, proxy, w.L(16, proxy, 0), 1, 0);
      write(16, {}, proxy);
    }
    const inheriting = Object.setPrototypeOf({}, proxy);
    w.U(16, inheriting, w.L(16, inheriting, 0), 1, 0);
  });

  test(`${identity}: literals that are made often`, () => {
    const { helpers: w, events } = make({ 1: { keys: ['y', 'x'] } });
    const known = w.o(16, { y: 0, x: 1 });
    const values = [1, -1, 0, -0, 1.5, 'text', undefined, null, true, known, {}];
    const born = (x) => w.o(16, { y: 'unasked', x });
    for (let i = 0; i < 150; i++) born(i + 1);
    const before = events().length;
    const made = values.map(born);
    assert.deepEqual(made.map((o) => o.y), values.map(() => 'unasked'));
    const tails = events().slice(before).filter((e) => e.site).map((e) => e.tail.join(' '));
    const captured = ['1', '-1', '0', '-0.0', '1.5f', '"text"', 'undefined', 'null', 'true', '#1'];
    assert.deepEqual(tails.slice(0, -1), captured.map((text) => `not captured ${text}`));
    assert.match(tails.at(-1), /^not captured #\d+$/);
    const numbers = events().filter((e) => e.site).map((e) => e.value);
    assert.equal(new Set(numbers).size, numbers.length);
  });
}
