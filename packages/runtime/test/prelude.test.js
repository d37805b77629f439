'use strict';
const test = require('node:test');
const assert = require('node:assert/strict');
const vm = require('node:vm');
const { prelude: makePrelude } = require('../make-runtime.js');

const prelude = new vm.Script(makePrelude());

function realm() {
  const context = vm.createContext({});
  prelude.runInContext(context);
  return (code) => vm.runInContext(code, context);
}

test('the realm gets the helpers and shows none of them', () => {
  const run = realm();
  const plain = vm.runInContext('Reflect.ownKeys(globalThis).map(String).join()', vm.createContext({}));
  assert.equal(run('Reflect.ownKeys(globalThis).map(String).join()'), plain);
  assert.equal(run('$w_v(16, 5)'), 5);
  assert.equal(run('for (let i = 0; i < 300000; i++) { $w_E(16, 0); $w_v(16, "s" + i % 7); } $w_b(20, 0)'), 0);
});

test('functions show their original text', () => {
  const run = realm();
  const mark = (text) => `/*@w0000000a:${Buffer.from(text).toString('base64url')}*/`;
  const inner = 'function(){ "é☃\u{1f600}" }';
  const outer = `function f(a = ${inner}) { return a }`;
  const code = `(function f(a = $w_n(16,function(){${mark(inner)} "x" })) {${mark(outer)}$w_E(16,0); return a })`;
  assert.equal(run(`${code}.toString()`), outer);
  assert.equal(run(`${code}().toString()`), inner);
  assert.equal(run('(() => 1).toString()'), '() => 1');
});

test('wrapped built-ins look native', () => {
  const run = realm();
  for (const name of ['Array.prototype.push', 'Function.prototype.toString', 'Proxy', 'Proxy.revocable', 'Object.defineProperty', 'Map.prototype.set']) {
    assert.equal(run(`${name}.toString()`), vm.runInContext(`${name}.toString()`, vm.createContext({})), name);
    assert.equal(run(`typeof ${name}.prototype`), 'undefined');
  }
  assert.throws(() => run('Function.prototype.toString.call({})'), /requires that 'this' be a Function/);
  assert.throws(() => run('Proxy({}, {})'), /requires 'new'/);
});

test('proxies are left alone', () => {
  const run = realm();
  assert.equal(run(`
    const traps = [];
    const p = new Proxy([], new Proxy({}, { get: (_, trap) => (traps.push(trap), undefined) }));
    const r = Proxy.revocable({}, { get: () => traps.push('get') }).proxy;
    for (const x of [p, r]) { $w_v(16, x); $w_t(16, x); $w_P(16, x, 0, x); $w_v(16, [x]); $w_v(16, Object.setPrototypeOf({}, x)); }
    traps.join()`), '');
});
