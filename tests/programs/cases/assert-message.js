const assert = require('node:assert'); function check(a, b) {
  assert(a.length === b && typeof a === 'string',); }
try { check('x', 1); check([1], 2); } catch (e) { console.log(e.message); } try { assert.throws(() => null.x, /cannot/i); assert.throws(() => { throw new Error('abc'); }, { message: 'abd' }); } catch (e) { console.log(e.message); } assert.rejects(async () => { throw new Error('x'); }, TypeError).catch((e) => console.log(e.message)); assert(false);
