import { b, readA } from './b.mjs'; export const a = 'a'; export const readB = () => b + readA();
