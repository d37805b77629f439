const { suite } = require('uvu');
const assert = require('uvu/assert');

const sums = suite('sums');
sums('adds', () => assert.is(1 + 1, 2));
sums('fails', () => assert.equal({ a: 1, b: [1, 2, 3] }, { a: 1, b: [1, 2, 4] }));
sums('throws', () => { throw new Error('a defect'); });
sums.run();
