const log = [];
const say = (x) => log.push(x);
async function direct() { return Promise.resolve('d'); }
async function awaited() { return await Promise.resolve('w'); }
async function plain() { return 'p'; }
async function tried() { try { return await plain(); } finally { say('f'); } }
direct().then(say); awaited().then(say); plain().then(say); tried().then((x) => say(`t${x}`));
(async () => { for await (const x of [plain(), 2, direct()]) say(x); })();
(async () => { const o = { then(r) { say('then'); r('thenable'); } }; say(await o); })();
(async () => { await null; say('n1'); await undefined; say('n2'); await 3; say('n3'); })();
process.nextTick(() => say('tick'));
queueMicrotask(() => say('micro'));
setImmediate(() => console.log(log.join(' ')));
