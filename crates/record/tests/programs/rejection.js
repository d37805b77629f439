async function f(x) { await null; return x.y.z; }
f({});
