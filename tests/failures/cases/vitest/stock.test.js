import { beforeAll, describe, expect, it } from 'vitest';

describe('stock', () => {
  beforeAll(() => {
    throw new Error('no stock');
  });
  it('never runs', () => {});
});

it('holds', () => {});
it('is equal', () => {
  expect({ a: 1 }).toEqual({ a: 2 });
});
