// What the comparison passes over: nothing but what differs between two plain runs, and the clock.
import assert from 'node:assert';
import test from 'node:test';
import { compare } from './observe.mjs';
import { steady } from './steady.mjs';

const run = (stdout, files = {}) => ({ texts: { stdout }, files: new Map(Object.entries(files)) });
const differences = (...runs) => compare(...runs).differences.map((text) => text.trim().split('\n')[0]);

test('a port that is the same in two plain runs is the same when recorded', () => {
  assert.deepEqual(differences(run('port: 3000'), run('port: 3000'), run('port: 3001')), ['stdout']);
  assert.deepEqual(differences(run('port: 3000'), run('port: 3002'), run('port: 3001')), []);
});

test('durations and dates differ whatever two plain runs say', () => {
  assert.deepEqual(differences(run('passed (2ms)'), run('passed (2ms)'), run('passed (9ms)')), []);
  assert.deepEqual(differences(run('a.js     9ms'), run('a.js    12ms'), run('a.js  1.20s')), []);
  assert.deepEqual(differences(run('at 10:20:30'), run('at 10:20:30'), run('at 10:20:31')), []);
  assert.deepEqual(differences(run('2 passed (2ms)'), run('2 passed (2ms)'), run('3 passed (9ms)')), ['stdout']);
});

test('a colour is no duration, and a duration may be coloured', () => {
  assert.equal(steady('\x1b[1m\x1b[46m x \x1b[22m').text, '\x1b[1m\x1b[46m x \x1b[22m');
  assert.equal(steady('\x1b[33m312\x1b[2mms\x1b[22m').text, '\x1b[33mDURATION\x1b[22m');
});

test('a number that two plain runs do not have in common may be another one, and nothing else of its line', () => {
  assert.deepEqual(differences(run('[Nest] 17 - GET 200'), run('[Nest] 18 - GET 200'), run('[Nest] 19 - GET 200')), []);
  assert.deepEqual(differences(run('[Nest] 17 - GET 200'), run('[Nest] 18 - GET 200'), run('[Nest] 19 - GET 500')), ['stdout']);
  assert.deepEqual(differences(run('[Nest] 17 - GET'), run('[Nest] 18 - GET'), run('[Nest] 19 - PUT')), ['stdout']);
});

test('order matters where two plain runs have one', () => {
  assert.deepEqual(differences(run('a\nb'), run('a\nb'), run('b\na')), ['stdout']);
  assert.deepEqual(differences(run('a\nb'), run('b\na'), run('a\nb')), []);
});

test('of files whose names always differ in numbers there must be as many, with the same contents', () => {
  const named = (...numbers) => run('', Object.fromEntries(numbers.map((n) => [`a.${n}.tmp`, 'x'])));
  assert.deepEqual(differences(named(1), named(2), named(3)), []);
  assert.deepEqual(differences(named(1), named(2), named(3, 4)), ['file a.N.tmp 2 is there only when recorded']);
  assert.deepEqual(differences(named(1), named(2), named()), ['file a.N.tmp is there but not when recorded']);
  assert.deepEqual(differences(named(1), named(2), run('', { 'a.3.tmp': 'y' })), ['file a.N.tmp']);
  assert.deepEqual(differences(named(1), named(1), named(2)).sort(), ['file a.1.tmp is there but not when recorded', 'file a.2.tmp is there only when recorded']);
  assert.deepEqual(differences(named('0.123456789012345'), named('0.1234567890123456'), named('0.12345678901234567')), []);
});

test('a folder that is called as the hash in it begins may have another name each time', () => {
  const cached = (...hashes) => run('', Object.fromEntries(hashes.map((hash) => [`cache/${hash.slice(0, 2)}/cart_${hash}`, 'x'])));
  const [a, b, c, d] = ['2d04d763e9ef5f358b', 'f904d763e9ef5f358b', '5104d763e9ef5f358b', 'aa04d763e9ef5f358b'];
  assert.deepEqual(differences(cached(a), cached(b), cached(c)), []);
  assert.deepEqual(differences(cached(a), cached(b), cached(c, d)), ['file cache/HEX/cart_HEX 2 is there only when recorded']);
  assert.deepEqual(differences(cached(a), cached(a), cached(b)).length, 2);
});
