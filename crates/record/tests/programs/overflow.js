function f(n) { return f(n + 1) + 1; }
try { f(0); } catch (e) { console.log(e.name, e.message); }
