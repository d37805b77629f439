'use strict';
class Refused extends Error {
  constructor(to, permanent) {
    super(`${to} refused`);
    this.permanent = permanent;
  }
}
class Transport {
  constructor(rules) {
    this.rules = rules;
    this.n = 0;
  }
  async send(letter) {
    this.n += 1;
    await null;
    const rule = this.rules.find(({ to }) => to === letter.to);
    if (rule) throw new Refused(letter.to, rule.permanent === true);
    return `receipt ${this.n}`;
  }
}
module.exports = { Transport, Refused };
