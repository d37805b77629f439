import test from 'ava';
import shop from './shop.cjs';

test.beforeEach((t) => {
  if (t.title.includes('does not')) shop.open('door');
});
test.afterEach('closes', (t) => {
  if (t.title.includes('has')) shop.open('bin');
});
test('does not get to run', (t) => t.pass());
test('has run', (t) => t.pass());
