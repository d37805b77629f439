import { describe, expect, it } from 'vitest';
import { split, text } from '../src/duration.js';

describe('duration', () => {
  it('is short', () => {
    expect.soft(text(59)).toBe('59 s');
    expect.soft(split(61)).toHaveLength(2);
  });

  it('is long', () => {
    expect.soft(text(86400)).toBe('1 d');
    expect.soft(text(7260)).toBe('2 h 1 min');
    expect(split(0)).toEqual([]);
  });
});
