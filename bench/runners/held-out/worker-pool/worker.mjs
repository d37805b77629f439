import { parentPort, threadId } from 'node:worker_threads';
import { price } from './price.mjs';

parentPort.on('message', ({ id, lines }) => {
  const sum = price(lines);
  parentPort.postMessage({ id, sum, by: threadId });
});
