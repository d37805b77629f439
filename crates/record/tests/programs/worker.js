const { Worker, isMainThread, parentPort, workerData, threadId } = require('worker_threads');
if (isMainThread) {
  const one = (file, options) => new Promise((done) => {
    const w = new Worker(file, options);
    w.on('message', (m) => console.log('message', m));
    w.on('error', (e) => console.log('error', e.stack));
    w.on('exit', (c) => { console.log('exit', c); done(); });
  });
  (async () => {
    await one(__filename, { workerData: 1 });
    await one(__filename, { workerData: 2, execArgv: ['--no-warnings'] });
    await one(__filename, { workerData: 3, env: { A: 'b' } });
    await one('const {parentPort}=require("worker_threads");const f=(x)=>x*2;parentPort.postMessage([f(4),f.toString(),__filename])', { eval: true });
    await one(__filename, { workerData: 'throw' });
    await one(new URL('data:text/javascript,import{parentPort}from"worker_threads";const f=(x)=>x*2;parentPort.postMessage([f(4),f.toString()])'));
    class Sub extends Worker { constructor(f) { super(f, { workerData: 4 }); } }
    new Sub(__filename).on('message', (m) => console.log('sub', m));
    console.log(Worker.name, Worker.length, Worker.prototype.constructor === Worker);
  })();
} else {
  if (workerData === 'throw') { const o = {}; o.missing.x; }
  parentPort.postMessage([workerData, process.execArgv, process.env.A, process.env.NODE_OPTIONS, Object.keys(require.cache).length]);
}
