import { parentPort } from 'node:worker_threads'; const v = await Promise.resolve(3); parentPort.postMessage({ v });
