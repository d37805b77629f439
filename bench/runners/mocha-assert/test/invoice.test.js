'use strict';
const assert = require('assert');
const { Invoice } = require('../src/invoice');

describe('Invoice', () => {
  it('starts empty', () => {
    assert.strictEqual(new Invoice('DE').total(), 0);
  });

  it('adds the standard rate', () => {
    assert.strictEqual(new Invoice('DK').add('lamp', 'home', 80).total(), 100);
  });

  it('takes off a discount', () => {
    const invoice = new Invoice('FR').add('desk', 'home', 200);
    invoice.discount = 40;
    assert.strictEqual(invoice.total(), 200);
  });

  it('mixes rates', () => {
    const invoice = new Invoice('DE');
    invoice.add('lamp', 'home', 50);
    invoice.add('novel', 'book', 15, 4);
    invoice.add('shipping', 'service', 1.0084);
    assert.strictEqual(invoice.total(), 124.9);
  });

  it('counts its lines', () => {
    assert.strictEqual(new Invoice('DE').add('a', 'food', 1).add('b', 'food', 2).size, 2);
  });
});
