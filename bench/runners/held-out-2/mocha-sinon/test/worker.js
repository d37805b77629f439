'use strict';
const sinon = require('sinon');
const { work } = require('../src/worker');

describe('work', () => {
  it('does everything', () => {
    const log = sinon.spy();
    work([{ name: 'a', priority: 1 }, { name: 'b', priority: 2 }], log);
    sinon.assert.calledTwice(log);
    sinon.assert.calledWith(log.firstCall, 'b');
  });

  it('does what matters less later', () => {
    const log = sinon.spy();
    work([{ name: 'a', priority: 3 }, { name: 'b', priority: 2 }, { name: 'c', priority: 1 }], log);
    sinon.assert.calledThrice(log);
    sinon.assert.calledWith(log.lastCall, 'c');
  });
});
