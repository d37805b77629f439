import fs, { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as self from './module.mjs';
import other, { value } from './dependency.mjs';
export let counter = 0; export default function named(x) { return x + 1; }
export class K { static make() { return new K(); } }
counter++;
const later = await import('./dependency.mjs');
console.log(later.value === value, self.counter, named.toString(), import.meta.url.split('/').pop(), this, typeof require, readFileSync === fs.readFileSync);
const cjs = createRequire(import.meta.url)('./environment.js');
const data = await import('data:text/javascript,export const x = (a) => a * 2');
console.log(data.x(4), data.x.toString(), cjs, other.toString());
console.log(new Error('where').stack);
import('./missing.mjs').catch((e) => console.log(e.code));
