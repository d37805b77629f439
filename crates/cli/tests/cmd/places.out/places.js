function fib(n) {
  let result = 1;
  if (n > 1) result = fib(n - 1) + fib(n - 2);
  return result;
}

const base = { colour: 'red' };
const shape = Object.create(base);
const list = [3, 1, 2];
list.sort();
list.push(9);
const o = { a: 1, b: 2, text: 'x'.repeat(50) };
Object.assign(o, { a: 5 });
delete o.b;
let never;
try {
  fib(3);
  throw new RangeError('too far');
} catch (error) {
  never = typeof never;
}
if (list.length > 100) o.unreached = true;
console.log(shape.colour, list, o.a);
