const t = require('tap');
const { open } = require('./shop.js');

t.test('before each', async (t) => {
  t.beforeEach(() => open('door'));
  t.test('does not get to run', async (t) => t.pass());
});

t.test('after each', async (t) => {
  t.afterEach(() => {
    open('bin');
  });
  t.test('has run', async (t) => t.pass());
});

t.test('before', async (t) => {
  t.before(() => {
    open('till');
  });
  t.test('never runs', async (t) => t.pass());
});
