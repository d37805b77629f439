const made = new WeakMap();

function statementOf(account) {
  const known = made.get(account);
  if (known) return known;
  const statement = {
    owner: account.owner,
    balance: account.balance(),
    lines: account.entries.map((entry) => `${entry.text}: ${entry.amount}`),
  };
  made.set(account, statement);
  return statement;
}

module.exports = { statementOf };
