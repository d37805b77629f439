const log = (...a) => console.log(...a);
function boom() { throw new Error('boom'); }
class A { x = boom(); }
class B { f = () => this; static s = [1].map((x) => x + this.name.length); h = { k: () => 1, m: Object(function () {}) }; }
function p(a, cb = (x) => x * 2, { q = boom.name, r = () => q } = {}, s = new Error('s').stack.split('\n')[1]) { return [a, cb(2), q, r(), s.replace(/\(.*\//, '(')]; }
for (const f of [() => new A(), function () { return ((a = boom()) => a)(); }]) try { f(); } catch (e) { log(e.stack.replace(/\(\/.*\//g, "(")); }
log(p(1), p.length, String(p), B.s, new B().f() instanceof B, new B().h.k.name, String(A), String(B));
class D extends B { constructor(cb = () => this) { try { cb(); } catch (e) { log(e.message); } super(); log(cb() === this); } }
new D();
(async () => {
  const o = { f() { return arguments.length; }, g: () => { throw new Error('g'); } };
  log((await o).f(), (await o).f(1), new (await Object)() instanceof Object);
  for (const t of [async () => (await o).nope(), async () => (await o).g(), async () => (await undefined).f(), async () => new (await o)(), async (a = boom()) => a, async () => (await o)?.nope()])
    try { await t(); } catch (e) { log(e.stack.replace(/\(\/.*\//g, '(')); }
})();
