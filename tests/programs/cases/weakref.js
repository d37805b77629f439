// flags: --expose-gc
const seen = []; const registry = new FinalizationRegistry((held) => seen.push(held)); let refs = [];
class Node1 { constructor(n) { this.n = n; this.self = this; } }
function make() { for (let i = 0; i < 5; i++) { const o = { i, list: [1, 2, { deep: i }] }; const f = () => o; const c = new Node1(i); const m = new Map([[o, c]]); const [first, ...rest] = [o, c, m]; refs.push(new WeakRef(o), new WeakRef(f), new WeakRef(c), new WeakRef(m), new WeakRef(rest)); registry.register(o, `o${i}`); const p = Promise.resolve(o); refs.push(new WeakRef(p)); const e = new Error('x'); refs.push(new WeakRef(e)); const s = new Set([e]); s.add(c); [o, c].sort(); refs.push(new WeakRef(s), new WeakRef(new Proxy(o, {})), new WeakRef(JSON.parse('{"a":[1]}'))); } }
make();
(async () => { for (let i = 0; i < 5; i++) { await new Promise((r) => setTimeout(r, 5)); gc(); } console.log(refs.filter((r) => r.deref()).length, seen.sort().join()); })();
