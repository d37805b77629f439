const assert = require('node:assert');
const { Cart } = require('../cart');

describe('Cart', () => {
  it('adds up', () => assert.equal(new Cart({ pen: 4 }).add('pen').total(), 4));
});
