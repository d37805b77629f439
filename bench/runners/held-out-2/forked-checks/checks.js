'use strict';
const assert = require('node:assert');
const { Range } = require('./range');

const checks = {
  contains() {
    assert.ok(new Range(1, 5).contains(3));
  },
  joins() {
    const joined = new Range(1, 5).join(new Range(4, 9));
    assert.strictEqual(joined.length(), 8);
  },
};

for (const [name, check] of Object.entries(checks)) {
  try {
    check();
    process.send({ name });
  } catch (error) {
    process.send({ name, error: { message: error.message, stack: error.stack } });
  }
}
process.disconnect();
