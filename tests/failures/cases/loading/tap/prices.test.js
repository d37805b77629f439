const t = require('tap');
const { price } = require('./prices.js');

t.test('costs', async () => price);
