import test from 'ava';
import { Cart } from '../cart.js';

test('adds up', (t) => t.is(new Cart({ pen: 4 }).add('pen').total(), 4));
test('refuses', (t) => { t.throws(() => new Cart({}).add('pen'), { instanceOf: RangeError }); });
test('is async', async (t) => { t.deepEqual(await Promise.all([1, Promise.resolve(2)]), [1, 2]); });
test.todo('to be written');
