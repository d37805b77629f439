'use strict';
const assert = require('node:assert/strict');
const { describe, it, mock, beforeEach } = require('node:test');
const { remind } = require('../lib/mailer');

describe('remind', () => {
  const send = mock.fn();
  const ann = { mail: 'ann@example.org', currency: 'EUR' };
  const bob = { mail: 'bob@example.org', currency: 'USD' };

  beforeEach(() => send.mock.resetCalls());

  it('tells what is owed', async (t) => {
    remind([{ customer: ann, amount: 12, currency: 'EUR' }], send);
    await t.test('once', () => assert.equal(send.mock.callCount(), 1));
  });

  it('tells it in the currency of the customer', async (t) => {
    remind([{ customer: ann, amount: 0, currency: 'EUR' }, { customer: bob, amount: 100, currency: 'EUR' }], send);
    await t.test('to whom', () => assert.equal(send.mock.calls[0].arguments[0], 'bob@example.org'));
    await t.test('what', () => {
      const [, text] = send.mock.calls[0].arguments;
      assert.equal(text, '125.00 USD');
    });
  });
});
