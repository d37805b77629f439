import def, { live, bump, renamed as other } from './dep.mjs';
import * as ns from './dep.mjs';
import { named } from './cjs.cjs';
import cjs from './cjs.cjs';
import fs, { readFileSync } from 'node:fs';
console.log(def.name, live, bump(), live, other, ns, named, cjs, fs.readFileSync === readFileSync, typeof require, this);
console.log(Object.keys(import.meta).sort().join(), import.meta.url.replace(/.*[\\/]/, ''), import.meta.dirname?.replace(/.*[\\/]/, ''), import.meta.resolve('./dep.mjs').replace(/.*[\\/]/, ''));
try { live = 2; } catch (e) { console.log(e.name, e.message); }
try { ns.live = 2; } catch (e) { console.log(e.name, e.message); }
console.log((await import('./dep.mjs')) === ns, Object.prototype.toString.call(ns), Reflect.ownKeys(ns).map(String));
await import('./missing.mjs').catch((e) => console.log(e.code, e.message.replace(/'[^']*[\\/]/g, "'")));
await import('./bad.mjs').catch((e) => console.log(e.name, e.message));
await import('./throws.mjs').catch((e) => console.log(e.stack));
await import('./noexport.mjs').catch((e) => console.log(e.name, e.message));
throw new Error('at the end of a module');
