'use strict';
const Line = require('./line');
const time = require('./time');

class Timetable {
  constructor() {
    this.lines = [];
  }

  add(name, stops, departures) {
    this.lines.push(new Line(name, stops, departures));
  }

  next(stop, after) {
    const from = time.minutes(after);
    const coming = this.lines.flatMap((line) => line.passing(stop)).filter(({ at }) => at >= from);
    coming.sort((a, b) => a.at - b.at);
    if (coming.length === 0) return null;
    const [{ line, at }] = coming;
    return { line, stop: { name: stop, at: time.text(at) } };
  }
}

module.exports = Timetable;
