const t = require('tap');
const { Cart } = require('../cart.js');

t.test('adds up', (t) => { t.equal(new Cart({ pen: 4 }).add('pen').total(), 4); t.end(); });
t.test('refuses', async (t) => { t.throws(() => new Cart({}).add('pen'), RangeError); });
t.matchOnly?.({ a: 1 }, { a: Number });
