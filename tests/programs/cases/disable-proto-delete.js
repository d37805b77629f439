// flags: --disable-proto=delete
console.log('__proto__' in {}, {}.__proto__, ({ __proto__: { z: 1 } }).z); class A { x = 1; } const a = new A(); a.x = 2; const { x } = a; console.log(x, Object.getPrototypeOf(a) === A.prototype, JSON.parse('{"__proto__": 5}').__proto__);
