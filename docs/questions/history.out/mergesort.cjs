'use strict';
// Listing 1 of the paper. The numbers should come out sorted.

function merge(a, la, ra, b, lb, rb, c, lc) {
  while (la < ra && lb < rb)
    c[lc++] = (a[la] < b[lb]) ? a[la++] : b[lb++];
  while (la < ra)
    c[lb++] = a[la++];
  while (lb < rb)
    c[lc++] = b[lb++];
}

function distribute(a, b, c, l) {
  let i = 0;
  for (let j = 0; j < a.length; j += 2 * l) {
    for (let k = j / 2; k < j / 2 + l; k++)
      b[k] = a[i++];
    for (let k = j / 2; k < j / 2 + l; k++)
      c[k] = a[i++];
  }
}

function sort(a) {
  const b = new Array(a.length);
  const c = new Array(a.length);
  for (let size = 1; size < a.length; size *= 2) {
    distribute(a, b, c, size);
    for (let i = 0; i < a.length / 2; i += size)
      merge(b, i, i + size, c, i, i + size, a, 2 * i);
  }
}

function main() {
  const a = [4, 9, 1, 7];
  sort(a);
  console.log(a.join(' '));
}

module.exports = { merge, distribute, sort, main };
if (require.main === module) main();
