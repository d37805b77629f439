class Order {
  constructor(customer) {
    this.customer = customer;
    this.address = null;
  }
}

function load(id) {
  const order = new Order({ id, name: id % 2 ? 'Ada' : 'Bob' });
  if (id % 2) fill(order);
  return order;
}

function fill(order) {
  order.address = { city: 'London' };
}

function label(order) {
  return `${order.customer.name}, ${order.address.city}`;
}

const order = load(4);
setTimeout(() => console.log(label(order)), 1);
