// A shop whose orders crash for some: a basket that was emptied gets an object where a list was. Which user does what follows from SEED.
'use strict';

const seed = Number(process.env.SEED ?? 1);
let state = seed * 2654435761 % 4294967296;

function random(n) {
  state = (state * 1664525 + 1013904223) % 4294967296;
  return Math.floor(state / 4294967296 * n);
}

class Basket {
  constructor(customer) {
    this.customer = customer;
    this.lines = [];
  }

  add(line) {
    this.lines.push(line);
  }

  clear() {
    this.lines = empty(this.customer);
  }
}

function empty(customer) {
  // The mistake: a list was meant.
  return customer.isGuest ? [] : {};
}

function price(product) {
  return product.cents / 100;
}

function choose(catalogue) {
  return catalogue[random(catalogue.length)];
}

function fill(basket, catalogue, n) {
  for (let i = 0; i < n; i++) basket.add({ product: choose(catalogue), count: 1 + random(3) });
}

function changeMind(basket) {
  if (random(2) === 0) basket.clear();
}

function total(basket) {
  let sum = 0;
  for (const line of basket.lines) sum += price(line.product) * line.count;
  return sum;
}

function order(customer, catalogue) {
  const basket = new Basket(customer);
  fill(basket, catalogue, 2);
  changeMind(basket);
  fill(basket, catalogue, 1);
  return total(basket);
}

function catalogueOf(n) {
  const products = [];
  for (let i = 0; i < n; i++) products.push({ sku: `p${i}`, cents: 100 + random(900) });
  return products;
}

const catalogue = catalogueOf(20);
console.log(order({ isGuest: random(2) === 0 }, catalogue).toFixed(2));
