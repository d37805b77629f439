import type { X } from './types.ts';
export const f = <T,>(x: T): T => x;
console.log(f.toString(), f<number>(3));
