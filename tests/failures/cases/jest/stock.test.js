jest.retryTimes(2);
let tries = 0;

it('is tried again', () => {
  if (tries++ < 2) throw new Error('luck');
});

describe('stock', () => {
  beforeAll(() => {
    throw new Error('no stock');
  });
  it('never runs', () => {});
});

it('is equal', () => {
  expect({ a: 1 }).toEqual({ a: 2 });
});
