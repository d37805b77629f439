// The same with more than nine frames below (on Node 22 and newer the loader has that many).
const list = Object.freeze([1]);
function add(x) {
  	list.push(x);
}
add(2);
