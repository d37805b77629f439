const offers = { SPRING: 10, NEW: 25 };

function reduced(line) {
  const percent = offers[line.code];
  return line.price * (1 - percent / 100);
}

class Cart {
  lines = [];

  add(name, price, code) {
    this.lines.push({ name, price, code });
    return this;
  }

  get total() {
    let sum = 0;
    for (const line of this.lines) sum += reduced(line);
    return sum;
  }
}

module.exports = { Cart };
