const t = require('tap');

t.test('never ends', { timeout: 200 }, () => new Promise((resolve) => setTimeout(resolve, 900)));
t.test('compares', async (t) => {
  t.equal('Timeout of 20ms exceeded', 'timed out');
});
