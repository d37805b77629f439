'use strict';
const { parse } = require('./entries');

class Ledger {
  constructor() {
    this.entries = [];
  }

  read(text) {
    for (const line of text.split('\n')) {
      if (line) this.entries.push(parse(line));
    }
    return this;
  }

  balance(until) {
    let sum = 0;
    for (const entry of this.entries) {
      if (entry.date < until) sum += sign(entry.kind) * entry.amount;
    }
    return sum;
  }
}

function sign(kind) {
  return kind === 'out' ? -1 : 1;
}

exports.Ledger = Ledger;
