const cart = { lines: [], total: 0 };

function add(price) {
  cart.lines.push(price);
  cart.total = cart.total + price;
}
function discount(rate) {
  cart.total = cart.total * rate;
}

add(9);
add(12);
// A tenth less was meant.
discount(0.1);
console.log(cart.total);
