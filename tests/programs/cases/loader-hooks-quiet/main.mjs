// flags: --no-warnings
// What hooks of the program see: its own modules, and nothing else.
import { register } from 'node:module'; import fs from 'node:fs'; import os from 'node:os'; import path from 'node:path';
const log = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'hooks-')), 'log');
register('./first.mjs', import.meta.url, { data: { log, name: 'first' } }); register('./second.mjs', import.meta.url, { data: { log, name: 'second' } });
const m = await import('./target.mjs'); m.counter.n += 1; console.log(m.counter, m.added, await import('data:text/javascript,let a = 1; a += 1; export { a }'));
const lines = fs.readFileSync(log, 'utf8').split('\n').filter((line) => !line.includes('node:')); console.log(lines.map((line) => line.replace(/file:.*\//, '')).join('\n'));
fs.rmSync(path.dirname(log), { recursive: true });
