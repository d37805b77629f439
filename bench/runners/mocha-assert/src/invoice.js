'use strict';
const { Line } = require('./line');

class Invoice {
  #lines = [];

  constructor(country) {
    this.country = country;
    this.discount = 0;
  }

  add(title, kind, net, count = 1) {
    this.#lines.push(new Line(title, kind, net, count));
    return this;
  }

  total() {
    let sum = 0;
    for (const line of this.#lines) sum += line.gross(this.country);
    return Math.round((sum - this.discount) * 100) / 100;
  }

  get size() {
    return this.#lines.length;
  }
}

module.exports = { Invoice };
