// unordered
// Workers that start at the same time, from text that is instrumented before they do.
const { Worker } = require('node:worker_threads');
for (let i = 0; i < 24; i++) {
  new Worker(`let n = 0; for (let i = 0; i < 10; i++) n += i; console.log('worker', ${i}, n)`, { eval: true });
}
