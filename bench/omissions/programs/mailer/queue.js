'use strict';
// Letters that could not be sent are tried again; those that were tried too often go to the undeliverable ones.
class Queue {
  constructor({ most = 3 } = {}) {
    this.most = most;
    this.waiting = [];
    this.undeliverable = [];
    this.sent = new Map();
  }
  add(letter) {
    this.waiting.push({ letter, tries: 0, last: null });
    return this;
  }
  async drain(transport) {
    while (this.waiting.length > 0) {
      const entry = this.waiting.shift();
      try {
        const receipt = await transport.send(entry.letter);
        this.sent.set(entry.letter.to, receipt);
      } catch (error) {
        entry.tries += 1;
        entry.last = error;
        this.retry(entry);
      }
    }
    return this.sent.size;
  }
  retry(entry) {
    if (entry.last.permanent) return;
    if (entry.tries < this.most) this.waiting.push(entry);
    else this.giveUp(entry);
  }
  giveUp(entry) {
    this.undeliverable.push(entry.letter);
  }
}
module.exports = { Queue };
