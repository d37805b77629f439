'use strict';
const time = require('./time');

class Line {
  constructor(name, stops, departures) {
    this.name = name;
    this.stops = stops;
    this.departures = departures.map(time.minutes);
  }

  offset(stop) {
    const found = this.stops.find(([name]) => name === stop);
    return found ? found[1] : undefined;
  }

  passing(stop) {
    const offset = this.offset(stop);
    if (offset === undefined) return [];
    return this.departures.map((departure) => ({ line: this.name, at: departure + offset }));
  }
}

module.exports = Line;
