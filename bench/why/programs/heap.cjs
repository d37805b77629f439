// A priority queue on a binary heap, and jobs that run by priority.
const assert = require('node:assert');

class Heap {
  constructor(before) {
    this.before = before;
    this.items = [];
  }

  get size() { return this.items.length; }

  push(item) {
    this.items.push(item);
    this.up(this.items.length - 1);
  }

  pop() {
    const top = this.items[0];
    const last = this.items.pop();
    if (this.items.length > 0) {
      this.items[0] = last;
      this.down(0);
    }
    return top;
  }

  up(at) {
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.before(this.items[at], this.items[parent])) break;
      this.swap(at, parent);
      at = parent;
    }
  }

  down(at) {
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      let best = at;
      if (left < this.items.length && this.before(this.items[left], this.items[best])) best = left;
      if (right < this.items.length && this.before(this.items[right], this.items[best])) best = right;
      if (best === at) return;
      this.swap(at, best);
      at = best;
    }
  }

  swap(a, b) {
    const kept = this.items[a];
    this.items[a] = this.items[b];
    this.items[b] = kept;
  }
}

function makeJobs(names) {
  const jobs = [];
  for (let i = 0; i < names.length; i++) {
    jobs.push({ name: names[i], priority: (i * 7) % 5, order: i });
  }
  return jobs;
}

function isBefore(a, b) {
  if (a.priority !== b.priority) return a.priority > b.priority;
  return a.order < b.order;
}

function runAll(jobs) {
  const heap = new Heap(isBefore);
  for (const job of jobs) heap.push(job);
  const done = [];
  while (heap.size > 0) done.push(heap.pop());
  return done;
}

// checks
const done = runAll(makeJobs(['wash', 'cook', 'read', 'sing', 'walk', 'rest', 'play']));
assert.strictEqual(done.length, 7);
assert.strictEqual(done.map((job) => job.name).join(' '), 'read walk cook play sing wash rest');
