'use strict';
const assert = require('node:assert');
const batch = require('../lib/batch');
const slowSquare = require('../lib/slow');

describe('batch', function () {
  it('has nothing to do', function (done) {
    batch([], 2, slowSquare, (error, results) => {
      try {
        assert.deepStrictEqual(results, []);
        done();
      } catch (failure) {
        done(failure);
      }
    });
  });

  it('fails once', function (done) {
    batch(['a', 'b'], 2, slowSquare, (error) => {
      try {
        assert.strictEqual(error.message, 'not a number');
        done();
      } catch (failure) {
        done(failure);
      }
    });
  });

  it('keeps the order', function (done) {
    batch([1, 2, 3, 4, 5], 2, slowSquare, (error, results) => {
      try {
        assert.ifError(error);
        assert.strictEqual(results.join(' '), '1 4 9 16 25');
        done();
      } catch (failure) {
        done(failure);
      }
    });
  });
});
