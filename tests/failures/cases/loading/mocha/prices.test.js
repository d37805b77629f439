const { price } = require('./prices.js');

it('costs', () => price);
