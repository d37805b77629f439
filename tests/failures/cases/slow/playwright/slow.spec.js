const { test, expect } = require('@playwright/test');

test('never ends', async () => {
  await new Promise(() => {});
});
test('compares', () => {
  expect('Timeout of 20ms exceeded').toBe('timed out');
});
