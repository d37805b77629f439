'use strict';
const { EventEmitter } = require('node:events');

let nextNumber = 1000;
class Order {
  constructor(customer, lines) {
    this.number = nextNumber++;
    this.customer = customer;
    this.lines = lines;
    this.state = 'new';
    this.history = [];
  }
  become(state) {
    this.history.push(this.state);
    this.state = state;
  }
}

class Orders extends EventEmitter {
  constructor(stock) {
    super();
    this.stock = stock;
    this.byNumber = new Map();
  }
  place(customer, lines) {
    const order = new Order(customer, lines);
    const taken = [];
    for (const line of lines) {
      if (this.stock.reserve(line.sku, line.n)) {
        taken.push(line);
      } else {
        for (const back of taken) this.stock.release(back.sku, back.n);
        order.become('refused');
        this.emit('refused', order);
        return order;
      }
    }
    this.byNumber.set(order.number, order);
    order.become('placed');
    this.emit('placed', order);
    return order;
  }
  pay(number) {
    const order = this.byNumber.get(number);
    if (order.state !== 'placed') return;
    order.become('paid');
    this.emit('paid', order);
  }
  end(number, how) {
    const order = this.byNumber.get(number);
    if (!order) return;
    switch (how) {
      case 'shipped':
        for (const { sku, n } of order.lines) this.stock.ship(sku, n);
        break;
      case 'canceled':
        for (const { sku, n } of order.lines) this.stock.release(sku, n);
        break;
      default:
        this.emit('odd', order, how);
    }
    order.become(how);
    this.emit('ended', order);
  }
}
module.exports = { Orders, Order };
