process.nextTick(() => { console.log('tick'); Promise.resolve().then(() => console.log('micro in tick')); process.nextTick(() => console.log('tick in tick')); });
Promise.resolve().then(() => { console.log('micro'); process.nextTick(() => console.log('tick in micro')); });
const tried = [setTimeout(() => console.log('never'), 5), setImmediate(() => console.log('never'))];
clearTimeout(tried[0]); clearImmediate(tried[1]);
setTimeout((a, b) => {
  console.log('timeout', a, b);
  setImmediate(() => { console.log('immediate'); process.nextTick(() => console.log('tick in immediate')); Promise.resolve().then(() => console.log('micro in immediate')); });
  let n = 0;
  const interval = setInterval(() => { console.log('interval', ++n); if (n === 3) clearInterval(interval); }, 2);
}, 1, 'x', 'y');
setTimeout(() => console.log('unref, never'), 60_000).unref();
