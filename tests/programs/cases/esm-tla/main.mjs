import { order } from './a.mjs';
import './b.mjs';
order.push('main'); const x = await new Promise((r) => setTimeout(r, 2, 'waited')); order.push(x);
for await (const y of (async function* () { yield 1; yield 2; })()) order.push(y);
export const late = await Promise.resolve('late'); console.log(order.join());
const { default: j } = await import('../helpers/data.json', { with: { type: 'json' } }); console.log(j);
await Promise.reject(new Error('top level await rejected'));
