'use strict';
const assert = require('node:assert');
const { EventEmitter } = require('node:events');
const { expect } = require('chai');
require('should');
const { Cart } = require('../cart');

describe('Cart', function () {
  this.timeout(60_000);
  const make = () => new Cart({ pen: 4, book: 30 });

  it('strictEqual', () => assert.strictEqual(make().add('pen', 2).total(), 9));
  it('deepEqual', () => assert.deepStrictEqual(make().add('pen').lines, [{ name: 'pen', count: 2, price: 4 }]));
  it('chai', () => expect(make().add('book').total()).to.equal(31));
  it('should', () => make().add('book').total().should.equal(32));
  it('throws', () => { make().add('car'); });
  it('calls back with an error', (done) => setImmediate(() => done(new Error('handed on'))));
  it('rejects', async () => { await null; throw new TypeError('rejected'); });
  it('throws later', (done) => { setTimeout(() => { throw new Error('later'); }, 1); void done; });
  it('reads from undefined', () => { make().nothing.here; });
  it('emits an error', () => { new EventEmitter().emit('error', new Error('emitted')); });
  it('throws a text', () => { throw 'a text'; });
  describe('hooks', () => {
    before(() => { throw new Error('in a hook'); });
    it('is never run', () => {});
  });
});
