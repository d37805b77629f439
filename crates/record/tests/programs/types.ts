interface A { x: number }
function f(a: A, b?: string): number { return a.x + (b as any ?? 1); }
console.log(f({ x: 1 }), f.toString());
(null as any).foo;
