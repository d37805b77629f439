const { open } = require('./shop.js');

describe('before all', () => {
  beforeAll(() => {
    open('till');
  });
  it('never runs', () => {});
  it('nor does this', () => {});
});

describe('before each', () => {
  beforeEach(() => {
    open('door');
  });
  it('does not get to run', () => {});
});

describe('after each', () => {
  afterEach(() => {
    open('bin');
  });
  it('has run', () => {
    open('lamp');
  });
});

describe('after all', () => {
  afterAll(async () => {
    await null;
    open('safe');
  });
  it('is well', () => {
    open('lamp');
  });
});
