// A top-level await that never settles: Node prints it, with a line of the source.
const total = [1, 2].reduce((sum, n) => sum + n, 0);
console.log(total);
await new Promise(() => {});
