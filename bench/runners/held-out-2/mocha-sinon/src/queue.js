'use strict';
class Queue {
  constructor() {
    this.jobs = [];
  }

  add(job) {
    const before = this.jobs.findIndex((known) => known.priority < job.priority);
    this.jobs.splice(before, 0, job);
  }

  take() {
    return this.jobs.shift();
  }
}

module.exports = { Queue };
