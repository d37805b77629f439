const { test } = require('@playwright/test');
const { open } = require('./shop.js');

const { describe } = test;

describe('before all', () => {
  test.beforeAll(() => {
    open('till');
  });
  test('never runs', () => {});
  test('nor does this', () => {});
});

describe('before each', () => {
  test.beforeEach(() => {
    open('door');
  });
  test('does not get to run', () => {});
});

describe('after each', () => {
  test.afterEach(() => {
    open('bin');
  });
  test('has run', () => {
    open('lamp');
  });
});

describe('after all', () => {
  test.afterAll(async () => {
    await null;
    open('safe');
  });
  test('is well', () => {
    open('lamp');
  });
});
