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
    return this.lines.reduce((sum, line) => sum + line.price * line.count, 0);
  }
}

module.exports = { Cart };
