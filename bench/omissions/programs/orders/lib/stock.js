'use strict';
// What lies on the shelves, and what of it is promised to somebody.
class Shelf {
  constructor(sku, count) {
    this.sku = sku;
    this.count = count;
    this.reserved = 0;
    this.log = [];
  }
  get free() { return this.count - this.reserved; }
  note(what, n) { this.log.push(`${what} ${n}`); }
}

class Stock {
  constructor() { this.shelves = new Map(); }
  put(sku, count) {
    const there = this.shelves.get(sku);
    if (there) there.count += count;
    else this.shelves.set(sku, new Shelf(sku, count));
    return this;
  }
  shelf(sku) {
    const shelf = this.shelves.get(sku);
    if (!shelf) throw new Error(`no such article: ${sku}`);
    return shelf;
  }
  reserve(sku, n) {
    const shelf = this.shelf(sku);
    if (shelf.free < n) return false;
    shelf.reserved += n;
    shelf.note('reserved', n);
    return true;
  }
  release(sku, n) {
    const shelf = this.shelf(sku);
    shelf.reserved -= n;
    shelf.note('released', n);
  }
  ship(sku, n) {
    const shelf = this.shelf(sku);
    shelf.count -= n;
    shelf.reserved -= n;
    shelf.note('shipped', n);
  }
}
module.exports = { Stock, Shelf };
