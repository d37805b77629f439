const o = { get total() { return this.items.length; } };
console.log('before');
console.log(`${o.total}`);
