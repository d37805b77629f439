'use strict';
const { Rule, Night, Weekend } = require('./shifts.js');

class Roster {
  constructor() {
    this.shifts = { day: [], night: [], weekend: [] };
    this.refused = [];
    this.rules = [new Night(), new Weekend(), new Rule('day')];
  }
  on(shift) {
    return this.shifts[shift];
  }
  refuse(person, shift) {
    this.refused.push(`${person.name} ${shift}`);
  }
  plan(people) {
    for (const person of people) {
      const rule = this.rules.find((each) => each.applies(person));
      rule.assign(this, person);
    }
    return this;
  }
}
module.exports = { Roster };
