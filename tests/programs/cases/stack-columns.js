const lines = []; const at = () => lines.push(new Error().stack.split('\n')[2].replace(/.*[\\/]/, ''));
const o = { m() { at(); return this; }, get g() { at(); return 1; }, set s(v) { at(); }, [Symbol.iterator]: function* () { at(); yield 1; }, toString() { at(); return 'o'; }, valueOf() { at(); return 1; } };
o.m(); o.m().m().m(); o.g; o.s = 1; [...o]; for (const x of o) at(); `${o}`; o + 1; const { g } = o; const [z] = o;
at(), at(); (at(), at()); true && at(); false || at(); null ?? at(); true ? at() : at(); if (at() || at()) at(); else at();
[1, 2].forEach(() => at()); [3].map(at); new (class { constructor() { at(); } f = at(); static s = at(); static { at(); } })();
function deep(n) { return n ? deep(n - 1) : at(); } deep(2); switch (at()) { case at(): default: at(); }
for (let i = at(); i < 2 + at() * 0; i = i + 1 + 0 * at()) { at(); } let k = 3; while (k-- > 1 && at()) ; do { at(); } while (at() && k++ < 0);
const f = (a = at(), { b = at() } = {}) => at(); f(); at?.(); o?.m?.(); o['m'](); eval('at()'); Reflect.apply(at, null, []); at.call(); at.apply(null, [at()]); at.bind(null)(); o.x = o.y = at(); o[at()] = at(); delete o[at()]; void at(); typeof at(); -at(); k = at() + at(); k += at(); o.p ??= at(); async function w() { at(); await at(); at(); } w();
try { at(); throw at(); } catch { at(); } finally { at(); } label: { at(); break label; } `${at()}${at()}`; ((...a) => at(...a))(at(), at()); at`x`; [at(), at()]; ({ a: at(), [at()]: 1, ...at() });
setImmediate(() => console.log(lines.join('\n')));
