// expected
import fs = require('node:fs');
import { area, type Shape } from './shapes.js';
import type { Only } from './missing.js';
import def, { unused, Kind } from './kinds.mjs';
import * as rest from './nested/index';
import { old } from './old.cjs';
export type { Shape };
export { area, type Shape as S };
const shape: Shape & Partial<Only> = { r: 2 };
console.log(area(shape), def, Kind.B, rest.deep, old, typeof fs.readFileSync);
const { late } = await import('./late');
console.log(late);
try { await import('./nowhere.js'); } catch (error) { console.log((error as any).code); }
