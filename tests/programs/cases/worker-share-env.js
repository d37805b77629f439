// Code given as text to a worker that shares the environment, and to one that gets other options: it runs whether it is recorded or not.
// unordered
const { Worker, SHARE_ENV, getEnvironmentData } = require('node:worker_threads');

const text = `
  const { parentPort } = require('node:worker_threads');
  function deep(n) { if (n === 0) throw new Error(__filename); return deep(n - 1) + 1; }
  try { deep(2); } catch (error) { parentPort.postMessage(error.stack); }
  parentPort.postMessage((() => 1).toString() + process.execArgv);
  let total = 0;
  for (const x of [1, 2, 3]) total += x;
  parentPort.postMessage(total);
`;
const all = { none: {}, shared: { env: SHARE_ENV }, own: { env: { A: '1' } }, options: { execArgv: ['--no-warnings'] }, both: { env: SHARE_ENV, execArgv: [] } };
for (const [name, options] of Object.entries(all)) {
  const worker = new Worker(text, { eval: true, ...options });
  worker.on('message', (message) => console.log(name, message));
  worker.on('error', (error) => console.log(name, error.message));
}
console.log(getEnvironmentData('wherefore:text'));
