function total(numbers) {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum + 1;
}

require('./contract.js').contract('more', (...numbers) => total(numbers));
