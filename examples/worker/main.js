// A worker adds up the parts of an invoice. The sum is wrong.
const { Worker } = require('node:worker_threads');

const worker = new Worker(require.resolve('./adder.js'));
worker.on('message', (invoice) => {
  const { sum } = invoice;
  worker.terminate();
  if (sum !== 60) throw new Error(`the invoice says ${sum}`);
});
worker.postMessage({ amounts: ['10', 20, 30] });
