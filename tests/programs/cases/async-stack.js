async function a() { await b(); }
async function b() { await null; await c(); }
const c = async () => { await new Promise((r) => setImmediate(r)); throw new Error('deep'); };
class S { async run() { try { await a(); } catch (e) { console.log(e.stack); } } }
new S().run();
