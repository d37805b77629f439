import test from 'ava';
import shop from './shop.cjs';

const { total, refuse } = shop;

test('refuses what there is none of', (t) => {
  t.throws(() => refuse('coupon'));
});

test('adds up the lines', (t) => {
  const sum = total([{ price: 3, pieces: 2 }]);
  t.is(sum, 6);
});

for (const pieces of [0, 1]) {
  test(`costs nothing at ${pieces}`, (t) => {
    t.true(pieces < 1);
  });
}

test.skip('is not ready', () => {});
test.todo('is to be written');

test('waits', async () => {
  await null;
  refuse('time');
});
