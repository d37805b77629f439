export class Queue {
  items = [];

  put(item) {
    this.items.push(item);
    this.items.sort((a, b) => b.cost - a.cost);
  }

  take() {
    return this.items.shift();
  }

  get isEmpty() {
    return this.items.length === 0;
  }
}
