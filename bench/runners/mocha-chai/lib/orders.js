const EventEmitter = require('events');

class Orders extends EventEmitter {
  constructor(stock) {
    super();
    this.stock = stock;
    this.open = new Map();
    this.next = 1;
  }

  place(lines) {
    const id = this.next++;
    for (const { sku, count } of lines) this.stock.reserve(sku, count);
    this.open.set(id, lines);
    this.emit('placed', id);
    return id;
  }

  cancel(id) {
    const lines = this.open.get(id);
    lines.forEach(({ sku, count }) => this.stock.release(sku, count));
    this.open.delete(id);
    this.emit('cancelled', id);
  }
}

module.exports = Orders;
