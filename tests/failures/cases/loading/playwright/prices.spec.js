const { test } = require('@playwright/test');
const { price } = require('./prices.js');

test('costs', () => price);
