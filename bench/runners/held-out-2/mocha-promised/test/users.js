'use strict';
const chai = require('chai');
const promised = require('chai-as-promised');
const { greeting } = require('../lib/users');

chai.use(promised);
const { expect } = chai;

describe('greeting', () => {
  it('of staff', () => {
    return expect(greeting(1)).to.eventually.equal('Good morning, Ann');
  });

  it('of guests', () => {
    return expect(greeting(2)).to.eventually.equal('Welcome, Bob');
  });
});
