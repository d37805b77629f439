'use strict';
// A cache that forgets what was used least recently: a ring of entries, newest first.

class Entry {
  constructor(key, value) {
    this.key = key;
    this.value = value;
    this.newer = this;
    this.older = this;
  }
}

class Cache {
  constructor(limit) {
    this.limit = limit;
    this.entries = [];
    this.ring = new Entry(null, null);
    this.hits = 0;
  }

  size() {
    return this.entries.length;
  }

  isFull() {
    return this.size() >= this.limit;
  }

  indexOf(key) {
    for (let i = 0; i < this.size(); i++) if (this.entries[i].key === key) return i;
    return -1;
  }

  lookUp(key) {
    const index = this.indexOf(key);
    return index < 0 ? null : this.entries[index];
  }

  detach(entry) {
    entry.newer.older = entry.older;
    entry.older.newer = entry.newer;
  }

  attachFirst(entry) {
    entry.newer = this.ring;
    entry.older = this.ring.older;
    entry.older.newer = entry;
    this.ring.older = entry;
  }

  touch(entry) {
    this.detach(entry);
    this.attachFirst(entry);
  }

  get(key) {
    const entry = this.lookUp(key);
    if (entry === null) return undefined;
    this.hits++;
    this.touch(entry);
    return entry.value;
  }

  set(key, value) {
    const known = this.lookUp(key);
    if (known !== null) {
      known.value = value;
      this.touch(known);
      return;
    }
    if (this.isFull()) this.forgetOldest();
    this.add(new Entry(key, value));
  }

  add(entry) {
    this.entries.push(entry);
    this.attachFirst(entry);
  }

  oldest() {
    return this.ring.newer;
  }

  forgetOldest() {
    this.drop(this.oldest());
  }

  drop(entry) {
    this.detach(entry);
    this.entries.splice(this.indexOf(entry.key), 1);
  }

  keys() {
    const keys = [];
    for (let entry = this.ring.older; entry !== this.ring; entry = entry.older) keys.push(entry.key);
    return keys;
  }
}

function perform(cache, step) {
  if (step.length === 2) cache.set(step[0], step[1]);
  else console.log('get', step[0], cache.get(step[0]));
}

function main(input) {
  const cache = new Cache(input.limit);
  for (const step of input.steps) perform(cache, step);
  console.log('keys', cache.keys().join(' '), 'hits', cache.hits, 'size', cache.size());
}

const INPUTS = {
  usual: { limit: 3, steps: [['a', 1], ['b', 2], ['c', 3], ['a'], ['d', 4], ['b'], ['c', 33], ['e', 5], ['a'], ['c']] },
  small: { limit: 2, steps: [['a', 1], ['b', 2], ['b']] },
};

module.exports = { Entry, Cache, perform, main };
if (require.main === module) main(INPUTS[process.argv[2] ?? 'usual']);
