// flags: --no-warnings
import { register } from 'node:module'; register('./hooks.mjs', import.meta.url); const m = await import('./target.mjs'); console.log(m.default, m.extra); console.log((await import('virtual:thing')).default);
