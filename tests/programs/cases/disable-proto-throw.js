// flags: --disable-proto=throw
try { ({}).__proto__; } catch (e) { console.log(e.code, e.message); } try { ({}).__proto__ = {}; } catch (e) { console.log(e.code); } let o = { a: { b: 1 } }; o.a.b = 2; console.log(o, [1, [2]].flat());
