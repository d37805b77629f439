const log = (x) => process.stdout.write(x + '\n');
setTimeout(() => log('timeout'), 0); setImmediate(() => log('immediate')); process.nextTick(() => log('tick'));
Promise.resolve().then(() => log('then')); queueMicrotask(() => log('microtask'));
(async () => { log('a'); await null; log('b'); for await (const x of [1, Promise.resolve(2)]) log(x); })();
log('sync');
