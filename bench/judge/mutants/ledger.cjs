'use strict';
// Accounts with a journal: transfers, fees, and a statement at the end of the month.

class Account {
  constructor(name, balance, limit) {
    this.name = name;
    this.balance = balance;
    this.limit = limit;
  }

  available() {
    return this.balance + this.limit;
  }

  add(amount) {
    this.balance += amount;
  }
}

class Bank {
  constructor() {
    this.accounts = [];
    this.journal = [];
    this.refused = 0;
  }

  open(name, balance, limit) {
    this.accounts.push(new Account(name, balance, limit));
  }

  find(name) {
    for (const account of this.accounts) if (account.name === name) return account;
    return null;
  }

  fee(amount) {
    if (amount < 100) return 1;
    if (amount < 1000) return 2;
    return 5;
  }

  transfer(from, to, amount) {
    const source = this.find(from);
    const target = this.find(to);
    const cost = this.fee(amount);
    if (source === null || target === null || source.available() < amount + cost) {
      this.refused++;
      return false;
    }
    source.add(-amount - cost);
    target.add(amount);
    this.journal.push({ from, to, amount, cost });
    return true;
  }

  interest(account) {
    if (account.balance < 0) return Math.round(account.balance / 10);
    return Math.round(account.balance / 50);
  }

  closeMonth() {
    for (const account of this.accounts) account.add(this.interest(account));
  }

  turnover(name) {
    let total = 0;
    for (const entry of this.journal) {
      if (entry.from === name) total -= entry.amount + entry.cost;
      if (entry.to === name) total += entry.amount;
    }
    return total;
  }

  fees() {
    let total = 0;
    for (const entry of this.journal) total += entry.cost;
    return total;
  }
}

function main(input) {
  const bank = new Bank();
  for (const [name, balance, limit] of input.accounts) bank.open(name, balance, limit);
  for (const [from, to, amount] of input.transfers) console.log(from, to, amount, bank.transfer(from, to, amount));
  for (const [name] of input.accounts) console.log(name, bank.turnover(name), bank.find(name).balance);
  bank.closeMonth();
  for (const [name] of input.accounts) console.log(name, bank.find(name).balance);
  console.log('fees', bank.fees(), 'refused', bank.refused);
}

const INPUTS = {
  usual: {
    accounts: [['ann', 500, 0], ['bob', 50, 200], ['cid', 2000, 100], ['dee', 0, 0]],
    transfers: [
      ['ann', 'bob', 99], ['bob', 'cid', 100], ['cid', 'dee', 1000], ['dee', 'ann', 999], ['bob', 'ann', 300],
      ['bob', 'dee', 150], ['ann', 'eve', 10], ['cid', 'ann', 20], ['dee', 'bob', 1], ['cid', 'bob', 1500],
    ],
  },
  small: { accounts: [['ann', 500, 0], ['bob', 50, 0]], transfers: [['ann', 'bob', 10]] },
};

module.exports = { Account, Bank, main };
if (require.main === module) main(INPUTS[process.argv[2] ?? 'usual']);
