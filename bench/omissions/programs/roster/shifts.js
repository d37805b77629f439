'use strict';
// Who works when: rules are asked in turn, and the first that knows somebody decides.
class Rule {
  constructor(shift) {
    this.shift = shift;
  }
  applies() {
    return true;
  }
  assign(roster, person) {
    roster.on(this.shift).push(person.name);
    person.shifts.push(this.shift);
  }
}
class Night extends Rule {
  constructor() {
    super('night');
  }
  applies(person) {
    return person.age >= 18 && person.wants === 'night';
  }
}
class Weekend extends Rule {
  constructor() {
    super('weekend');
  }
  applies(person) {
    return person.wants === 'weekend';
  }
  assign(roster, person) {
    if (person.worked > 5) super.assign(roster, person);
    else roster.refuse(person, this.shift);
  }
}
module.exports = { Rule, Night, Weekend };
