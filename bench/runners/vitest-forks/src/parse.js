import { operators } from './operators.js';
import { tokens } from './tokens.js';

export function parse(text) {
  const rest = tokens(text);

  function primary() {
    const token = rest.shift();
    if (token !== '(') return token;
    const inner = binary(0);
    rest.shift();
    return inner;
  }

  function binary(least) {
    let left = primary();
    while (rest.length > 0 && rest[0] !== ')') {
      const operator = operators[rest[0]];
      if (operator.precedence < least) break;
      const symbol = rest.shift();
      const right = binary(operator.rightAssociative ? operator.precedence : operator.precedence + 1);
      left = { symbol, left, right };
    }
    return left;
  }

  return binary(0);
}
