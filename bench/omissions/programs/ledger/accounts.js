'use strict';
const RULES = [
  [/rent|landlord/i, 'housing'],
  [/market|bakery/i, 'food'],
  [/salary/i, 'income'],
];

class Account {
  #balance = 0;
  constructor(name) {
    this.name = name;
    this.entries = [];
  }
  post(entry) {
    this.entries.push(entry);
    this.#balance += entry.cents;
  }
  get balance() { return this.#balance; }
}

class Book {
  constructor() { this.accounts = {}; }
  account(name) {
    return (this.accounts[name] ??= new Account(name));
  }
  post(entries) {
    for (const entry of entries) {
      const rule = RULES.find(([pattern]) => pattern.test(entry.what));
      this.account(rule ? rule[1] : 'other').post(entry);
    }
  }
  total() {
    let sum = 0;
    for (const name of Object.keys(this.accounts)) sum += this.accounts[name].balance;
    return sum;
  }
}
module.exports = { Book, Account };
