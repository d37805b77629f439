const test = require('node:test');
const { price } = require('./prices.js');

test('costs', () => price);
