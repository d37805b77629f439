// The body of a loop declares what its head declares.
for (const [a, q] of [[1, 2]].entries()) { const q = a + 1; console.log(q); }
for (const q of [1]) { const q = 2; console.log(q); }
for (const { q = 3 } of [{}]) { let q; console.log(q); }
for (const q in { z: 1 }) { class q {} console.log(typeof q); }
for (const [q] of [[1]]) { function q() {} console.log(typeof q); }
for (let q = 0; q < 1; q++) { let q = 5; console.log(q); }
for (let [q] = [0]; q < 1; q++) { const q = 5; console.log(q); }
try { throw [1, 2]; } catch ([q, r]) { { const q = 3; console.log(q, r); } }
try { throw 1; } catch (q) { { const q = 3; console.log(q); } }
(async () => { for await (const [q] of [[1]]) { const q = 4; console.log(q); } })();
for (const [a, b] of [[1, 2]]) { const [b, c] = [a, 3]; console.log(b, c); }
for (const [x, y] of [[1, 2]]) label: { const y = x; console.log(y); }
for (const [x, y] of [[1, 2]]) if (x) { const y = x; console.log(y); }
switch (1) { case 1: for (var [vv] of [[1]]) { const vv = 3; console.log(vv); } }
for (var vw of [1]) { let vw = 3; console.log(vw); }
let z1, z2; for ([z1, z2] of [[1, 2]]) { const z1 = 9; console.log(z1, z2); }
for (z1 of [1]) { const z1 = 9; console.log(z1); }
for (z1 in { k: 1 }) { const z1 = 9; console.log(z1); }
for (const [k, f] of [[1, 2]]) { const f = () => [k, f.name]; console.log(f()); }
const kept = []; for (const [k, g] of [[1, 2], [3, 4]]) { const g = k * 2; kept.push(() => [k, g]); } console.log(kept.map((f) => f()));
const place = {}; for (place.key of [1, 2]) { const place = 3; console.log(place); } console.log(place);
