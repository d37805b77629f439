import { operators } from './operators.js';
import { parse } from './parse.js';

function compute(node) {
  if (typeof node === 'number') return node;
  const left = compute(node.left);
  const right = compute(node.right);
  return operators[node.symbol].apply(left, right);
}

export function evaluate(text) {
  return compute(parse(text));
}
