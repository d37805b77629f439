import { describe, expect, it } from 'vitest';
import { evaluate } from '../src/evaluate.js';
import { tokens } from '../src/tokens.js';

describe('evaluate', () => {
  it('knows numbers', () => {
    expect(evaluate('42')).toBe(42);
  });

  it('knows precedence', () => {
    expect(evaluate('2 + 3 * 4')).toBe(14);
  });

  it('knows powers', () => {
    expect(evaluate('2 ^ 3 ^ 2')).toBe(512);
  });

  it('subtracts from the left', () => {
    expect(evaluate('10 - 4 - 3')).toBe(3);
  });

  it('splits', () => {
    expect(tokens('(1+2)')).toEqual(['(', 1, '+', 2, ')']);
  });
});
