const log = [];
async function* numbers() { try { log.push('start'); const got = yield 1; log.push(got); yield Promise.resolve(2); return 3; } finally { log.push('closed'); } }
(async () => {
  const it = numbers();
  const all = [it.next('ignored'), it.next('second'), it.next(), it.next()];
  Promise.resolve().then(() => log.push('m1')).then(() => log.push('m2')).then(() => log.push('m3')).then(() => log.push('m4'));
  console.log(await Promise.all(all));
  for await (const n of numbers()) { if (n === 2) break; }
  const failing = numbers(); await failing.next();
  await failing.throw(new Error('thrown in')).catch((e) => log.push(e.message));
  console.log(log.join());
})();
