function inner(a) {	if (a) { const o = null; return o.property; } }
function outer() { return inner({ x: [1, 2] }); }
outer();
