export class Lru {
  constructor(limit) {
    this.limit = limit;
    this.entries = new Map();
  }

  set(key, value) {
    const entry = this.entries.get(key);
    if (entry) {
      entry.value = value;
      return;
    }
    if (this.entries.size >= this.limit) {
      const [oldest] = this.entries.keys();
      this.entries.delete(oldest);
    }
    this.entries.set(key, { value });
  }

  get(key) {
    return this.entries.get(key)?.value;
  }

  get size() {
    return this.entries.size;
  }
}
