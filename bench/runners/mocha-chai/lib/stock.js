class Stock {
  constructor() {
    this.items = new Map();
  }

  receive(sku, count) {
    const item = this.items.get(sku) || { onHand: 0, reserved: 0 };
    item.onHand += count;
    this.items.set(sku, item);
  }

  reserve(sku, count) {
    const item = this.items.get(sku);
    if (this.available(sku) < count) throw new Error(`only ${this.available(sku)} of ${sku}`);
    item.reserved += count;
  }

  release(sku, count) {
    const item = this.items.get(sku);
    item.reserved += count;
  }

  available(sku) {
    const item = this.items.get(sku);
    return item ? item.onHand - item.reserved : 0;
  }
}

module.exports = Stock;
