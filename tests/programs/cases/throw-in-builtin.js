// A built-in that we wrap throws, and nobody catches.
const list = Object.freeze([1]);
function add(x) {
  	list.push(x);
}
setImmediate(() => add(2));
