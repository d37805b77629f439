import './style.css';
import { typed } from './typed.ts';
console.log(typed(1));
import { total } from './cart.js';
import lazy from './lazy.js';
import data from './data.json';

const cart = [{ price: 4, count: 2 }, { price: 30, count: 1 }];
console.log(total(cart), data.name, lazy);
import('./later.js').then(({ default: later }) => console.log(later(cart)));
export { total };
