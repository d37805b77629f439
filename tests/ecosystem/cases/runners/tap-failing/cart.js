'use strict';
class Cart {
  constructor(prices) {
    this.prices = prices;
    this.lines = [];
  }

  add(name, count = 1) {
    if (!(name in this.prices)) throw new RangeError(`there is no ${name}`);
    this.lines.push({ name, count, price: this.prices[name] });
    return this;
  }

  total() {
    return this.lines.reduce((sum, { price, count }) => sum + price * count, 0);
  }
}

module.exports = { Cart };
