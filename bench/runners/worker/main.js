'use strict';
const { once } = require('node:events');
const { Worker } = require('node:worker_threads');

const jobs = [
  { values: [1, 1, 1], count: 1 },
  { values: [2, 3, 5, 7, 11, 13], count: 3 },
];

async function main() {
  for (const job of jobs) {
    const worker = new Worker(require.resolve('./worker.js'), { workerData: job });
    const [counts] = await once(worker, 'message');
    console.log(counts.join(' '));
  }
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
