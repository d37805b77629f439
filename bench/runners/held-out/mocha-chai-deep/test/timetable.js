'use strict';
const { assert } = require('chai');
const time = require('../lib/time');
const Timetable = require('../lib/timetable');

describe('timetable', () => {
  let timetable;

  before(() => {
    timetable = new Timetable();
    timetable.add('5', [['Station', 0], ['Mill Road', 7]], ['08:00', '08:40', '09:20']);
    timetable.add('9', [['Harbour', 0], ['Mill Road', 12], ['Station', 18]], ['08:20']);
  });

  it('writes times', () => {
    assert.equal(time.text(485), '08:05');
  });

  it('knows nothing of other stops', () => {
    assert.isNull(timetable.next('Museum', '08:00'));
  });

  it('finds the first one', () => {
    assert.equal(timetable.next('Station', '08:00').line, '5');
  });

  it('finds the next one', () => {
    assert.deepEqual(timetable.next('Mill Road', '08:10'), {
      line: '9',
      stop: { name: 'Mill Road', at: '08:32' },
    });
  });
});
