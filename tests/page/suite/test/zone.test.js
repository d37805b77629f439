const { describe, it } = require('node:test');
const { expect } = require('claim');
const { parse } = require('../src/zone.js');

describe('zone', () => {
  it('reads west of Greenwich', () => {
    expect(parse('2026-03-01T12:00-03:00').utcOffset()).to.equal(-180);
  });

  it('reads east of Greenwich', () => {
    const date = parse('2026-03-01T12:00+03:00');
    expect(date.utcOffset()).to.equal(180);
  });

  it('writes what it read', () => {
    const text = '2026-03-01T12:00+05:30';
    expect(parse(text).format()).to.equal(text);
  });
});
