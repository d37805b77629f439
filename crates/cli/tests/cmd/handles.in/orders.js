// The second order has no price.
class Order {
  constructor(lines) {
    this.lines = lines;
  }

  total() {
    return this.lines.reduce((sum, line) => sum + line.price * line.count, 0);
  }
}

function print(order) {
  const text = order.total().toFixed(2);
  console.log(text);
}

const orders = [new Order([{ price: 2, count: 3 }]), new Order([{ cost: 5, count: 1 }])];
for (const order of orders) setTimeout(print, 1, order);
