'use strict';
// Runs at most `width` jobs at a time.
class Pool {
  constructor(width) {
    this.width = width;
    this.running = 0;
    this.waiting = [];
    this.paused = false;
  }
  run(job) {
    return new Promise((resolve, reject) => {
      this.waiting.push({ job, resolve, reject });
      this.next();
    });
  }
  pause() { this.paused = true; }
  resume() {
    this.paused = false;
  }
  next() {
    while (!this.paused && this.running < this.width && this.waiting.length > 0) {
      const { job, resolve, reject } = this.waiting.shift();
      this.running++;
      job().then(resolve, reject).finally(() => {
        this.running--;
        this.next();
      });
    }
  }
}
module.exports = { Pool };
