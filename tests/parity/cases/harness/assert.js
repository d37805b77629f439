// Our own small assertions, under the names that the cases use.
function assert(truth, message) { if (truth !== true) throw new Error(message || 'not true'); }
assert.same = function (actual, expected) { if (!Object.is(actual, expected)) throw new Error('got ' + String(actual) + ', expected ' + String(expected)); };
assert.list = function (actual, expected) { assert.same(actual.map(String).join(), expected.map(String).join()); };
assert.throws = function (constructor, f) {
  try { f(); } catch (e) { if (e === null || typeof e !== 'object' || e.constructor !== constructor) throw new Error('another error: ' + String(e)); return e; }
  throw new Error('nothing was thrown');
};
