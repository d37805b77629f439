'use strict';
const test = require('tape');
const { leaf, node } = require('./nodes');
const { report } = require('./report');

test('leaves', (t) => {
  t.deepEqual(report(node('root', leaf('a', 1), leaf('b', 2))), [{ name: 'a', size: 1 }, { name: 'b', size: 2 }]);
  t.end();
});

test('folders', (t) => {
  const tree = node('root', leaf('a', 1), node('lib', leaf('b', 2), leaf('c', 3)));
  const lines = report(tree);
  t.equal(lines.length, 2);
  t.deepEqual(lines, [{ name: 'a', size: 1 }, { name: 'lib', size: 5 }]);
  t.end();
});
