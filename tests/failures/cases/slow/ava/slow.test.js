import test from 'ava';

test('never ends', async (t) => {
  t.timeout(60);
  await new Promise((resolve) => setTimeout(resolve, 300));
});
test('compares', (t) => {
  t.is('Timeout of 20ms exceeded', 'timed out');
});
