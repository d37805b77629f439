const o = Object.freeze({ a: 1 }); function F() { this.x = o; }
console.log(new F(), Object.isFrozen(Array.prototype), [3, 1, 2].sort());
