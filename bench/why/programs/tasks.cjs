// Tasks that wait for each other, at most so many at a time.
const assert = require('node:assert');

const later = () => new Promise((resolve) => setImmediate(resolve));

class Scheduler {
  constructor(limit) {
    this.limit = limit;
    this.tasks = new Map();
    this.running = 0;
    this.mostRunning = 0;
    this.finished = [];
  }

  add(name, needs, work) {
    this.tasks.set(name, { name, needs, work, state: 'waiting', result: undefined });
  }

  isReady(task) {
    return task.state === 'waiting' && task.needs.every((need) => this.tasks.get(need).state === 'done');
  }

  async run() {
    const started = [];
    for (const task of this.tasks.values()) {
      if (this.running >= this.limit) break;
      if (this.isReady(task)) started.push(this.start(task));
    }
    await Promise.all(started);
  }

  async start(task) {
    task.state = 'running';
    this.running++;
    if (this.running > this.mostRunning) this.mostRunning = this.running;
    const inputs = task.needs.map((need) => this.tasks.get(need).result);
    await later();
    task.result = await task.work(...inputs);
    task.state = 'done';
    this.running--;
    this.finished.push(task.name);
    await this.run();
  }

  result(name) {
    const task = this.tasks.get(name);
    if (task.state !== 'done') throw new Error(`${name} is ${task.state}`);
    return task.result;
  }
}

function build(parts) {
  const scheduler = new Scheduler(2);
  for (const [name, size] of Object.entries(parts)) {
    scheduler.add(`compile ${name}`, [], async () => ({ name, code: 'x'.repeat(size) }));
    scheduler.add(`test ${name}`, [`compile ${name}`], (unit) => unit.code.length > 2);
  }
  const units = Object.keys(parts).map((name) => `compile ${name}`);
  scheduler.add('link', units, (...all) => all.reduce((sum, unit) => sum + unit.code.length, 0));
  const tests = Object.keys(parts).map((name) => `test ${name}`);
  scheduler.add('report', ['link', ...tests], (size, ...passed) => `${size} bytes, ${passed.filter((ok) => ok).length} of ${passed.length} tests passed`);
  return scheduler;
}

// checks
(async () => {
  const scheduler = build({ core: 30, page: 12, empty: 0 });
  await scheduler.run();
  assert.strictEqual(scheduler.result('report'), '42 bytes, 2 of 3 tests passed');
  assert.strictEqual(scheduler.mostRunning, 2);
  assert.strictEqual(scheduler.finished.length, 8);
})();
