'use strict';
// Tokens of a small language, and a check of its brackets.

function isDigit(c) {
  return c >= '0' && c <= '9';
}

function isLetter(c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c === '_';
}

function isSpace(c) {
  return c === ' ' || c === '\t' || c === '\n';
}

function endOfWord(text, at) {
  let end = at;
  while (end < text.length && (isLetter(text[end]) || isDigit(text[end]))) end++;
  return end;
}

function endOfNumber(text, at) {
  let end = at;
  while (end < text.length && isDigit(text[end])) end++;
  if (text[end] === '.' && isDigit(text[end + 1] ?? '')) {
    end++;
    while (end < text.length && isDigit(text[end])) end++;
  }
  return end;
}

function kindOfWord(word) {
  return word === 'if' || word === 'while' || word === 'return' ? 'keyword' : 'name';
}

function nextToken(text, at) {
  const c = text[at];
  if (isDigit(c)) return { kind: 'number', text: text.slice(at, endOfNumber(text, at)) };
  if (isLetter(c)) {
    const word = text.slice(at, endOfWord(text, at));
    return { kind: kindOfWord(word), text: word };
  }
  const two = text.slice(at, at + 2);
  if (two === '==' || two === '<=' || two === '>=') return { kind: 'operator', text: two };
  return { kind: 'sign', text: c };
}

function tokens(text) {
  const found = [];
  let at = 0;
  while (at < text.length) {
    if (isSpace(text[at])) {
      at++;
      continue;
    }
    const token = nextToken(text, at);
    found.push(token);
    at += token.text.length;
  }
  return found;
}

function closes(open, close) {
  return (open === '(' && close === ')') || (open === '{' && close === '}') || (open === '[' && close === ']');
}

function firstUnbalanced(list) {
  const open = [];
  for (let i = 0; i < list.length; i++) {
    const sign = list[i].text;
    if (sign === '(' || sign === '{' || sign === '[') open.push({ sign, at: i });
    if (sign === ')' || sign === '}' || sign === ']') {
      const last = open.pop();
      if (last === undefined || !closes(last.sign, sign)) return i;
    }
  }
  return open.length > 0 ? open[open.length - 1].at : -1;
}

function main(lines) {
  for (const line of lines) {
    const list = tokens(line);
    for (const token of list) console.log(token.kind, token.text);
    console.log('unbalanced', firstUnbalanced(list));
  }
}

const INPUTS = {
  usual: ['if (x1 >= 10.5) { y = a[2] + _b; }', 'while (n) return f(3.x ]', 'go { Z9'],
  small: ['a = 1'],
};

module.exports = { isDigit, isLetter, isSpace, endOfWord, endOfNumber, kindOfWord, nextToken, tokens, closes, firstUnbalanced, main };
if (require.main === module) main(INPUTS[process.argv[2] ?? 'usual']);
