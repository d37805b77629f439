'use strict';
const { least, most } = require('./bounds');

exports.Range = class Range {
  constructor(from, to) {
    this.from = from;
    this.to = to;
  }

  contains(value) {
    return this.from <= value && value <= this.to;
  }

  join(other) {
    return new Range(least(this.from, other.from), most(this.to, other.to));
  }

  length() {
    return this.to - this.from;
  }
};
