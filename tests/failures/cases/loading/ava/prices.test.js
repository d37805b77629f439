import test from 'ava';
import { price } from './prices.js';

test('costs', (t) => t.is(price, 3));
