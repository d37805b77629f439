class Cart {
  constructor(catalogue) {
    this.catalogue = catalogue;
    this.lines = [];
  }

  add(sku, count) {
    const product = this.catalogue.find((p) => p.sku === sku);
    this.lines.push({ ...product, count });
  }

  total() {
    let total = 0;
    for (const line of this.lines) total += line.price * line.count;
    return total;
  }
}

module.exports = { Cart };
