// More events than a chunk of the ring takes.
let sum = 0;
const list = [];
for (let i = 0; i < 600_000; i++) {
  list[i % 10] = { i };
  sum += list.length;
}
console.log(sum);
