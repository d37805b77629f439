const t = require('tap');
const { Cart } = require('../cart.js');

t.test('adds up', (t) => { t.equal(new Cart({ pen: 4 }).add('pen').total(), 5); t.end(); });
t.test('same', async (t) => { t.same(new Cart({ pen: 4 }).add('pen').lines, [{ name: 'pen' }]); });
t.test('throws', async () => { new Cart({}).add('pen'); });
