export function check(order, expected) {
  if (order.sum !== expected) throw new RangeError(`${order.id}: ${order.sum} is not ${expected}`);
  return order;
}
