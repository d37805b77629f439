var format = require('../lib/format');
var longest = require('../lib/words').longest;

describe('format', function () {
  it('leaves a short text alone', function () {
    format('one two').should.equal('one two');
  });

  it('drops white space', function () {
    format('  one \n two ').should.equal('one two');
  });

  it('knows the longest word', function () {
    longest(['a', 'abc', 'ab']).should.equal('abc');
  });

  it('indents', function () {
    format('one', { indent: 3 }).should.equal('   one');
  });

  it('breaks lines below the width', function () {
    format('to be or not to be', { width: 9, indent: 2 }).should.equal('  to be\n  or not\n  to be');
  });
});
