// node --test bench/judge
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const NOTHING = { type: 'undefined', text: 'undefined' };
const number = (n) => ({ type: 'number', text: String(n) });
const string = (text) => ({ type: 'string', text: JSON.stringify(text) });
const object = (n) => ({ type: 'object', text: `#${n}`, object: n });
const nil = { type: 'null', text: 'null' };
const list = (...numbers) => Object.fromEntries(numbers.map((n, i) => [i, number(n)]));

function answer(program, question) {
  const whole = { this: null, arguments: [], outcome: { kind: 'returned', value: NOTHING }, objects: {}, output: [], ...question };
  const { stdout } = spawnSync('node', [path.join(here, 'oracle.mjs'), path.join(here, 'programs', `${program}.cjs`)], { input: JSON.stringify({ question: whole }) });
  return String(stdout).trim();
}

function swapped(...after) {
  return answer('heapsort', {
    call: { function: 'swap' },
    arguments: [object(3), number(0), number(1)].map((entry, i) => ({ name: ['items', 'i', 'j'][i], entry })),
    objects: { 3: { class: 'Array', entry: list(5, 6), exit: list(...after), complete: true } },
  });
}

test('what a call did to an array', () => {
  assert.equal(swapped(6, 5), 'valid');
  assert.equal(swapped(6, 6), 'invalid items[1]');
  assert.equal(swapped(6, 5, 1), 'invalid items[2]');
});

function inserted(side) {
  const node = (key, fields) => ({ key: string(key), count: number(1), left: nil, right: nil, ...fields });
  return answer('bst', {
    call: { function: 'insertBelow' },
    this: object(1),
    arguments: [object(3), string('z')].map((entry, i) => ({ name: ['node', 'key'][i], entry })),
    objects: {
      1: { class: 'BinaryTree', entry: { root: object(3) }, exit: { root: object(3) }, complete: true },
      3: { class: 'Node', entry: node('m'), exit: node('m', { [side]: object(9) }), complete: true },
      9: { class: 'Node', entry: null, exit: node('z'), complete: true },
    },
  });
}

test('an object that the call made, hung on one that was there', () => {
  assert.equal(inserted('right'), 'valid');
  assert.equal(inserted('left'), 'invalid node.left');
});

test('a value that came back', () => {
  const median = (value) => answer('heapsort', {
    call: { function: 'median' },
    arguments: [{ entry: object(1) }],
    objects: { 1: { class: 'Array', entry: list(1, 2, 3), exit: list(1, 2, 3), complete: true } },
    outcome: { kind: 'returned', value: number(value) },
  });
  assert.equal(median(2), 'valid');
  assert.equal(median(3), 'invalid return');
});

test('an exception where there should be none', () => {
  assert.equal(answer('heapsort', { call: { function: 'left' }, arguments: [{ entry: number(1) }], outcome: { kind: 'threw', value: string('no') } }), 'invalid');
});

test('what is not known is not judged', () => {
  assert.equal(answer('heapsort', {
    call: { function: 'median' },
    arguments: [{ entry: object(1) }],
    objects: { 1: { class: 'Array', entry: list(1), exit: list(1), complete: false } },
    outcome: { kind: 'returned', value: number(1) },
  }), 'unknown');
});
