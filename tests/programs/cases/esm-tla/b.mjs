import { order } from './a.mjs'; order.push('b1'); await 0; order.push('b2');
