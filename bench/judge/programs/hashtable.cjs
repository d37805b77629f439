'use strict';
// A hash table with chained buckets that doubles when it is three quarters full.

class Entry {
  constructor(key, value, next) {
    this.key = key;
    this.value = value;
    this.next = next;
  }
}

class HashTable {
  constructor(capacity) {
    this.buckets = this.emptyBuckets(capacity);
    this.size = 0;
  }

  capacity() {
    return this.buckets.length;
  }

  getSize() {
    return this.size;
  }

  emptyBuckets(capacity) {
    const buckets = [];
    for (let i = 0; i < capacity; i++) buckets.push(null);
    return buckets;
  }

  hash(key) {
    let hash = 7;
    for (let i = 0; i < key.length; i++) hash = (hash * 31 + key.charCodeAt(i)) % 1000;
    return hash;
  }

  indexOf(key) {
    return this.hash(key) % this.capacity();
  }

  findEntry(index, key) {
    let entry = this.buckets[index];
    while (entry !== null && entry.key !== key) entry = entry.next;
    return entry;
  }

  put(key, value) {
    const index = this.indexOf(key);
    const entry = this.findEntry(index, key);
    if (entry !== null) {
      entry.value = value;
      return;
    }
    this.addFirst(index, key, value);
    this.size++;
    if (this.isCrowded()) this.grow();
  }

  get(key) {
    const entry = this.findEntry(this.indexOf(key), key);
    return entry === null ? undefined : entry.value;
  }

  isCrowded() {
    return this.getSize() > this.capacity() * 0.75;
  }

  addFirst(index, key, value) {
    this.buckets[index] = new Entry(key, value, this.buckets[index]);
  }

  grow() {
    const old = this.buckets;
    this.buckets = this.emptyBuckets(old.length * 2);
    for (let i = 0; i < old.length; i++) this.moveChain(old[i]);
  }

  moveChain(entry) {
    while (entry !== null) {
      this.addFirst(this.indexOf(entry.key), entry.key, entry.value);
      entry = entry.next;
    }
  }

  remove(key) {
    const index = this.indexOf(key);
    const found = this.findEntry(index, key);
    if (found === null) return false;
    if (this.buckets[index] === found) this.buckets[index] = found.next;
    else this.unlink(this.buckets[index], found);
    this.size--;
    return true;
  }

  unlink(first, found) {
    let before = first;
    while (before.next !== found) before = before.next;
    before.next = found.next;
  }

  keys() {
    const keys = [];
    for (let i = 0; i < this.capacity(); i++) {
      for (let entry = this.buckets[i]; entry !== null; entry = entry.next) keys.push(entry.key);
    }
    return keys;
  }
}

function fill(pairs) {
  const table = new HashTable(4);
  for (const [key, value] of pairs) table.put(key, value);
  return table;
}

function main(input) {
  const table = fill(input.pairs);
  for (const key of input.removed) console.log('removed', key, table.remove(key));
  for (const key of input.wanted) console.log('get', key, table.get(key));
  console.log('keys', table.keys().join(' '), 'size', table.getSize());
}

const INPUTS = {
  usual: {
    pairs: [['one', 1], ['two', 2], ['three', 3], ['four', 4], ['five', 5], ['two', 22], ['six', 6]],
    removed: ['three', 'nine'],
    wanted: ['two', 'one'],
  },
  small: { pairs: [['a', 1], ['b', 2]], removed: ['a'], wanted: ['b'] },
};

module.exports = { Entry, HashTable, fill, main };
if (require.main === module) main(INPUTS[process.argv[2] ?? 'usual']);
