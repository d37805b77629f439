// Accounts, transfers that are undone as a whole when one part fails, and interest.
const assert = require('node:assert');

class Account {
  constructor(owner, balance, limit) {
    this.owner = owner;
    this.balance = balance;
    this.limit = limit;
    this.log = [];
  }

  move(amount, why) {
    const after = this.balance + amount;
    if (after < -this.limit) throw new RangeError(`${this.owner} cannot pay ${-amount}`);
    this.balance = after;
    this.log.push({ amount, why });
  }
}

class Bank {
  constructor() {
    this.accounts = new Map();
    this.fees = 0;
  }

  open(owner, balance, limit = 0) {
    const account = new Account(owner, balance, limit);
    this.accounts.set(owner, account);
    return account;
  }

  transfer(from, to, amount) {
    const fee = amount > 100 ? 2 : 0;
    const payer = this.accounts.get(from);
    const payee = this.accounts.get(to);
    payer.move(-amount - fee, `to ${to}`);
    payee.move(amount, `from ${from}`);
    this.fees += fee;
  }

  all(transfers) {
    const before = new Map();
    for (const account of this.accounts.values()) before.set(account, [account.balance, account.log.length]);
    const fees = this.fees;
    try {
      for (const [from, to, amount] of transfers) this.transfer(from, to, amount);
      return true;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      for (const [account, [balance, length]] of before) {
        account.balance = balance;
        account.log.length = length;
      }
      this.fees = fees;
      return false;
    }
  }

  addInterest(rate) {
    for (const account of this.accounts.values()) {
      const interest = Math.round(account.balance * rate);
      if (interest !== 0) account.move(interest, 'interest');
    }
  }
}

function total(bank) {
  let sum = bank.fees;
  for (const { balance } of bank.accounts.values()) sum += balance;
  return sum;
}

// checks
const bank = new Bank();
const ann = bank.open('ann', 500);
const bob = bank.open('bob', 50, 100);
const cy = bank.open('cy', 0);
assert.strictEqual(bank.all([['ann', 'bob', 200], ['bob', 'cy', 300]]), true);
assert.strictEqual(bank.all([['ann', 'cy', 40], ['bob', 'ann', 500]]), false);
assert.strictEqual(total(bank), 550);
bank.addInterest(0.1);
assert.deepStrictEqual([ann.balance, bob.balance, cy.balance], [328, -57, 330]);
assert.deepStrictEqual(bob.log.map(({ amount }) => amount), [200, -302, -5]);
