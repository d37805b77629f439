import chunk from 'lodash/chunk.js';
import { total } from './cart.js';
import { none } from './lazy.js';

console.log(total([{ price: 4, count: 2 }]), none, chunk([1, 2, 3], 2));
import('./later.js').then(({ default: later }) => console.log(later([])));
