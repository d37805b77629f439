'use strict';
// node busy.cjs integers|doubles TIMES: writes one property so often, each time another value, which no compression makes small.
// How much memory the process has after a tenth, a half and all of it is added to the file that MEMORY_REPORT names.
const fs = require('fs');

const [, , kind, times] = process.argv;
const counter = { total: 1 };
const next = kind === 'doubles'
  ? (x) => (x * 16807.5) % 2147483647
  : (x) => (Math.imul(x, 1664525) + 1013904223) | 0;

for (let tenth = 1; tenth <= 10; tenth++) {
  for (let i = 0; i < Number(times) / 10; i++) counter.total = next(counter.total);
  if (tenth === 1 || tenth === 5 || tenth === 10) report(tenth);
}
show(counter);

function show(shown) {
  console.log(shown.total);
}

function report(tenth) {
  const megabytes = process.memoryUsage.rss() / 1e6;
  fs.appendFileSync(process.env.MEMORY_REPORT, `${tenth * 10} ${megabytes.toFixed(0)}\n`);
}
