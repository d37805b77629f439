function price(item) {
  return item.cost.amount;
}
const total = [{ cost: { amount: 1 } }, {}].map((item) => price(item)).reduce((a, b) => a + b);
console.log(total);
