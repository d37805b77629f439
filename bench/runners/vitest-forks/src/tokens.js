import { operators } from './operators.js';

export function tokens(text) {
  const found = text.match(/\d+(?:\.\d+)?|[-+*/^()]/g) ?? [];
  return found.map((token) => (token in operators || token === '(' || token === ')' ? token : Number(token)));
}
