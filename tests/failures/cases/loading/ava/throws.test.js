import test from 'ava';
import shop from './shop.cjs';

shop.open('till');
test('never runs', (t) => t.pass());
