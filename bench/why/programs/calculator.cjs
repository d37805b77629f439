// Arithmetic: text to tokens, tokens to a tree, the tree to a number.
const assert = require('node:assert');

function tokenize(text) {
  const tokens = [];
  let at = 0;
  while (at < text.length) {
    const c = text[at];
    if (c === ' ') {
      at++;
    } else if (c >= '0' && c <= '9') {
      let end = at;
      while (end < text.length && text[end] >= '0' && text[end] <= '9') end++;
      tokens.push({ kind: 'number', value: Number(text.slice(at, end)) });
      at = end;
    } else if (c >= 'a' && c <= 'z') {
      tokens.push({ kind: 'name', value: c });
      at++;
    } else {
      tokens.push({ kind: 'sign', value: c });
      at++;
    }
  }
  return tokens;
}

class Parser {
  constructor(tokens) {
    this.tokens = tokens;
    this.at = 0;
  }

  peek() {
    const token = this.tokens[this.at];
    return token === undefined ? '' : token.value;
  }

  next() { return this.tokens[this.at++]; }

  sum() {
    let left = this.product();
    while (this.peek() === '+' || this.peek() === '-') {
      const sign = this.next().value;
      left = { kind: 'binary', sign, left, right: this.product() };
    }
    return left;
  }

  product() {
    let left = this.atom();
    while (this.peek() === '*' || this.peek() === '/') {
      const sign = this.next().value;
      left = { kind: 'binary', sign, left, right: this.atom() };
    }
    return left;
  }

  atom() {
    const token = this.next();
    if (token.value === '(') {
      const inner = this.sum();
      this.next();
      return inner;
    }
    if (token.value === '-') return { kind: 'negative', operand: this.atom() };
    return token;
  }
}

const OPERATIONS = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

function evaluate(tree, names) {
  switch (tree.kind) {
    case 'number': return tree.value;
    case 'name': return names[tree.value];
    case 'negative': return -evaluate(tree.operand, names);
    default: {
      const left = evaluate(tree.left, names);
      const right = evaluate(tree.right, names);
      return OPERATIONS[tree.sign](left, right);
    }
  }
}

function calculate(text, names) {
  const tree = new Parser(tokenize(text)).sum();
  return evaluate(tree, names);
}

// checks
const names = { x: 7, y: 3 };
assert.strictEqual(calculate('12 + 3 * 4', names), 24);
assert.strictEqual(calculate('(x - y) * -2', names), -8);
assert.strictEqual(calculate('100 / (x + y) - 20 / 4', names), 5);
