'use strict';
// Counts the numbers below ten million by tens: a call tree of eleven million nodes.

function count(digits, first) {
  if (digits === 0) return 1;
  const step = 10 ** (digits - 1);
  let total = 0;
  for (let i = 0; i < 10; i++) total += count(digits - 1, first + i * step);
  return total;
}

function main(digits) {
  console.log('counted', count(digits, 0));
}

module.exports = { count, main };
if (require.main === module) main(Number(process.argv[2] ?? 7));
