const { parentPort } = require('node:worker_threads');

function add(amounts) {
  let sum = 0;
  // The defect: an amount that came as text is not turned into a number.
  for (const amount of amounts) sum += amount;
  return sum;
}

parentPort.on('message', ({ amounts }) => parentPort.postMessage({ sum: add(amounts) }));
