class Account {
  constructor(owner) {
    this.owner = owner;
    this.entries = [];
  }

  book(amount, text) {
    this.entries.push({ amount, text });
  }

  balance() {
    return this.entries.reduce((sum, entry) => sum + entry.amount, 0);
  }
}

module.exports = Account;
