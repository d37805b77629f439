class Store {
  constructor() {
    this.items = [];
    this.listeners = [];
  }

  add(title) {
    this.items.push({ title, done: false });
    this.changed();
  }

  toggle(index) {
    const item = this.items[index];
    item.done = !item.done;
    this.changed();
  }

  open() {
    return this.items.filter((item) => item.done);
  }

  subscribe(listener) {
    this.listeners.push(listener);
  }

  changed() {
    for (const listener of this.listeners) listener(this);
  }
}

module.exports = { Store };
