const { test, expect } = require('@playwright/test');
const { total, refuse } = require('./shop.js');

test.describe('cart', () => {
  test('refuses what there is none of', () => {
    expect(() => refuse('coupon')).toThrow(RangeError);
  });
  test('adds up the lines', () => {
    const sum = total([{ price: 3, pieces: 2 }]);
    expect(sum).toBe(6);
  });
  test.skip('is not ready', () => {});
});

test('is tried again', ({}, info) => {
  if (info.retry < 1) refuse('luck');
});
