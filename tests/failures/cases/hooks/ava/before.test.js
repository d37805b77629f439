import test from 'ava';
import shop from './shop.cjs';

test.before(() => {
  shop.open('till');
});
test('never runs', (t) => t.pass());
