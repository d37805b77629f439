// Pens are sold at 3.60 and should cost 4.00.
class Cart {
  constructor() {
    this.lines = [];
  }

  add(name, price) {
    this.lines.push({ name, price });
    return this;
  }
}

function applyOffers(cart, offers) {
  let percent = 0;
  for (const line of cart.lines) {
    const offer = offers[line.name];
    if (offer !== undefined) percent = offer;
    line.price = line.price * (1 - percent / 100);
  }
}

const cart = new Cart().add('book', 15).add('pen', 4);
applyOffers(cart, { book: 10 });
for (const line of cart.lines) console.log(line.name, line.price);
