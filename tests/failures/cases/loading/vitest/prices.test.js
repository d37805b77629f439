import { it } from 'vitest';
import { price } from './prices.js';

it('costs', () => price);
