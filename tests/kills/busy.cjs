// A busy program that says how far it has come. Step `i` writes known values, then prints `i` straight to the file.
const { writeSync } = require('node:fs');

const state = { step: 0, last: [0, 0, 0] };

function work(i) {
  let sum = 0;
  for (let k = 0; k < 40; k++) sum += (i * k) % 7;
  state.last[i % 3] = sum;
  return { i, sum };
}

for (let i = 1; ; i++) {
  const { sum } = work(i);
  state.step = i;
  if (i % 5 === 0) writeSync(1, `${i} ${sum}\n`);
}
