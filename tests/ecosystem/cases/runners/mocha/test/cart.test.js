'use strict';
const assert = require('node:assert');
const { expect } = require('chai');
const sinon = require('sinon');
const { Cart } = require('../cart');

describe('Cart', function () {
  this.timeout(60_000);
  let cart;
  beforeEach(() => { cart = new Cart({ pen: 4, book: 30 }); });

  it('starts empty', () => assert.strictEqual(cart.total(), 0));
  it('adds up', () => expect(cart.add('pen', 2).add('book').total()).to.equal(38));
  it('refuses what it does not know', () => expect(() => cart.add('car')).to.throw(RangeError, /no car/));
  it('waits', async () => { await new Promise((resolve) => setTimeout(resolve, 5)); });
  it('calls back', (done) => setImmediate(done));
  it.skip('does not do this', () => { throw new Error('never'); });
  it('is still to be written');
  context('with a spy', () => {
    it('counts calls', () => {
      const spy = sinon.spy(cart, 'add');
      cart.add('pen');
      sinon.assert.calledOnceWithExactly(spy, 'pen');
    });
    it('has a clock', () => {
      const clock = sinon.useFakeTimers();
      const late = sinon.fake();
      setTimeout(late, 1000);
      clock.tick(1000);
      clock.restore();
      expect(late.callCount).to.equal(1);
    });
  });
});
