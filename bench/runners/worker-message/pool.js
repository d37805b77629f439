'use strict';
const { once } = require('node:events');
const { Worker } = require('node:worker_threads');

exports.ask = async function ask(question) {
  const worker = new Worker(require.resolve('./worker.js'));
  worker.postMessage(question);
  const [answer] = await once(worker, 'message');
  await worker.terminate();
  return answer;
};
