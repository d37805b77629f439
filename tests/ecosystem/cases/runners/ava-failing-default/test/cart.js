import test from 'ava';
import { Cart } from '../cart.js';

test('adds up', (t) => t.is(new Cart({ pen: 4 }).add('pen').total(), 5));
test('same', (t) => t.deepEqual(new Cart({ pen: 4 }).add('pen').lines, [{ name: 'pen', count: 2 }]));
test('truthy', (t) => { const cart = new Cart({ pen: 4 }); t.true(cart.add('pen').total() > 5); });
test('throws', () => { new Cart({}).add('pen'); });
test('rejects', async () => { await null; throw new TypeError('rejected'); });
