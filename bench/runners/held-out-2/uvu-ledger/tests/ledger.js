'use strict';
const { suite } = require('uvu');
const assert = require('uvu/assert');
const { Ledger } = require('../lib/ledger');

const ledger = suite('ledger');

ledger.before.each((context) => {
  context.ledger = new Ledger().read('2024-01-02; in; 50\n2024-01-05; out; 20\n2024-02-01; in; 7\n');
});

ledger('counts entries', ({ ledger: known }) => {
  assert.is(known.entries.length, 3);
});

ledger('is empty in the beginning', ({ ledger: known }) => {
  assert.is(known.balance('2024-01-01'), 0);
});

ledger('includes the last day', ({ ledger: known }) => {
  const balance = known.balance('2024-02-01');
  assert.is(balance, 37);
});

ledger.run();
