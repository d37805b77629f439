function Cart() { this.items = []; this.total = 0; }
Cart.prototype.add = function (price) {
  this.items.push(price);
  this.total = this.total + price;
};
function discount(cart, rate) {
  if (rate > 0) {
    cart.total = cart.total * rate;
  }
}
const cart = new Cart(), other = new Cart();
for (const p of [5, 7, 9]) { cart.add(p); other.add(p * 2); }
discount(cart, 0.1);
other.add(3);
console.log(cart.total);
