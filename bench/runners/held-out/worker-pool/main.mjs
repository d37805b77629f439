import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { check } from './check.mjs';

const worker = new Worker(new URL('./worker.mjs', import.meta.url));

async function ask(id, lines) {
  worker.postMessage({ id, lines });
  const [order] = await once(worker, 'message');
  return order;
}

const small = await ask('small', [{ cents: 100, count: 2 }]);
check(small, 150);
const large = await ask('large', [{ cents: 100, count: 1 }, { cents: 250, count: 2 }, { cents: 40, count: 5 }]);
check(large, 750);
await worker.terminate();
