const Account = require('./account');
const { statementOf } = require('./statements');

class Bank {
  accounts = {};

  open(owner, amount = 0) {
    this.accounts[owner] = new Account(owner);
    if (amount) this.accounts[owner].book(amount, 'opened');
  }

  transfer(from, to, amount) {
    const { balance } = this.statement(from);
    if (balance < amount) throw new Error(`${from} has ${balance}`);
    this.accounts[from].book(-amount, `to ${to}`);
    this.accounts[to].book(amount, `from ${from}`);
  }

  statement(owner) {
    return statementOf(this.accounts[owner]);
  }
}

module.exports = Bank;
