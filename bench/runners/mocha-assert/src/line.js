'use strict';
const { rateFor } = require('./rates');

class Line {
  constructor(title, kind, net, count) {
    this.title = title;
    this.kind = kind;
    this.net = net;
    this.count = count;
  }

  gross(country) {
    const net = this.net * this.count;
    const tax = net * rateFor(country, this.kind);
    return Math.round((net + tax) * 100) / 100;
  }
}

module.exports = { Line };
