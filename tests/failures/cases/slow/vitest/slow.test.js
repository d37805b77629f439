import { expect, it } from 'vitest';

it('never ends', () => new Promise(() => {}));
it('compares', () => {
  expect('Timeout of 20ms exceeded').toBe('timed out');
});
