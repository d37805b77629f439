'use strict';
// Reads, simplifies and evaluates arithmetic with variables.

class Tokens {
  constructor(list) {
    this.list = list;
    this.at = 0;
  }

  peek() {
    return this.list[this.at];
  }

  take() {
    return this.list[this.at++];
  }
}

function isDigit(c) {
  return c >= '0' && c <= '9';
}

function isLetter(c) {
  return c >= 'a' && c <= 'z';
}

function tokenize(text) {
  const list = [];
  let i = 0;
  while (i < text.length) {
    if (isDigit(text[i])) {
      const end = endOfNumber(text, i);
      list.push(text.slice(i, end));
      i = end;
    } else {
      if (text[i] !== ' ') list.push(text[i]);
      i++;
    }
  }
  return new Tokens(list);
}

function endOfNumber(text, start) {
  let end = start;
  while (end < text.length && isDigit(text[end])) end++;
  return end;
}

function number(value) {
  return { kind: 'number', value };
}

function variable(name) {
  return { kind: 'variable', name };
}

function binary(operator, left, right) {
  return { kind: 'binary', operator, left, right };
}

function parseSum(tokens) {
  let left = parseProduct(tokens);
  while (tokens.peek() === '+' || tokens.peek() === '-') {
    const operator = tokens.take();
    left = binary(operator, left, parseProduct(tokens));
  }
  return left;
}

function parseProduct(tokens) {
  let left = parseFactor(tokens);
  while (tokens.peek() === '*' || tokens.peek() === '/') {
    const operator = tokens.take();
    left = binary(operator, left, parseFactor(tokens));
  }
  return left;
}

function parseFactor(tokens) {
  const token = tokens.take();
  if (token === '(') {
    const inner = parseSum(tokens);
    tokens.take();
    return inner;
  }
  if (isLetter(token)) return variable(token);
  return number(Number(token));
}

function isNumber(tree, value) {
  return tree.kind === 'number' && tree.value === value;
}

function apply(operator, a, b) {
  switch (operator) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    default: return a / b;
  }
}

function simplify(tree) {
  if (tree.kind !== 'binary') return tree;
  const left = simplify(tree.left);
  const right = simplify(tree.right);
  if (tree.operator === '+' && isNumber(left, 0)) return right;
  if (tree.operator === '+' && isNumber(right, 0)) return left;
  if (tree.operator === '*' && isNumber(left, 1)) return right;
  if (tree.operator === '*' && (isNumber(left, 0) || isNumber(right, 0))) return number(0);
  if (left.kind === 'number' && right.kind === 'number') return number(apply(tree.operator, left.value, right.value));
  return binary(tree.operator, left, right);
}

function evaluate(tree, scope) {
  if (tree.kind === 'number') return tree.value;
  if (tree.kind === 'variable') return scope[tree.name];
  return apply(tree.operator, evaluate(tree.left, scope), evaluate(tree.right, scope));
}

function show(tree) {
  if (tree.kind === 'number') return String(tree.value);
  if (tree.kind === 'variable') return tree.name;
  return `(${show(tree.left)} ${tree.operator} ${show(tree.right)})`;
}

function main(input) {
  for (const text of input.texts) {
    const tree = simplify(parseSum(tokenize(text)));
    console.log(show(tree), '=', evaluate(tree, input.scope));
  }
}

const INPUTS = {
  usual: { texts: ['a + 12 - 4', '1 * (b - a) / 2 + 0', '(2 + 3) * b - 8 / 4'], scope: { a: 3, b: 7 } },
  small: { texts: ['a + 1'], scope: { a: 1 } },
};

module.exports = { Tokens, isDigit, isLetter, tokenize, endOfNumber, number, variable, binary, parseSum, parseProduct, parseFactor, isNumber, apply, simplify, evaluate, show, main };
if (require.main === module) main(INPUTS[process.argv[2] ?? 'usual']);
