// A program with a little of everything that a run can hold; it fails.
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
const { greet } = require('./compiled.js');

class Account {
  #owner;
  constructor(owner, balance = 0) {
    this.#owner = owner;
    this.balance = balance;
    this.history = [];
  }

  book(amount) {
    this.history.push({ amount, before: this.balance });
    this.balance += amount;
    return this;
  }
}

function* amounts() {
  yield 3;
  yield* [-1, 2.5];
}

async function main() {
  const accounts = new Map([['ann', new Account('ann')], ['bob', new Account('bob', 1n)]]);
  for (const amount of amounts()) accounts.get('ann').book(amount);
  await null;
  const { balance, history: [first, ...rest] } = accounts.get('ann');
  console.log(greet('ann'), balance, rest.length);
  try {
    JSON.parse('{');
  } catch (error) {
    accounts.set(Symbol('bad'), error.message.slice(0, 3));
  }
  delete first.before;
  return accounts.get('bob').book(first.amount);
}

if (isMainThread) {
  const worker = new Worker(__filename);
  worker.once('message', (text) => main(text));
} else {
  parentPort.postMessage('ready');
}
