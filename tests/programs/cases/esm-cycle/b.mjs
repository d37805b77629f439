import { a, readB } from './a.mjs'; let early; try { early = a; } catch (e) { early = e.message; } console.log(early); export const b = 'b'; export function readA() { return a; }
