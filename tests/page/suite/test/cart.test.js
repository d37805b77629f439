const { describe, it } = require('node:test');
const { expect } = require('claim');
const { Cart } = require('../src/cart.js');

describe('cart', () => {
  it('reduces by offers', () => {
    expect(new Cart().add('pen', 20, 'SPRING').total).to.equal(18);
  });

  it('adds up lines with and without offers', () => {
    const cart = new Cart().add('pen', 20, 'SPRING').add('ink', 5);
    expect(cart.total).to.equal(23);
  });
});
