// --sparse N: each case N more times, with random sites switched on and all others left as they are
// node --experimental-vm-modules run.mjs [--server 'cmd' | --hook file.mjs] [--prelude file.js]   (same hook protocol as ../test262-parity)
import vm from 'node:vm'; import fs from 'node:fs'; import { spawn } from 'node:child_process'; import { eachLine } from '../parity/lines.mjs'; import { randomPolicies } from '../parity/policies.mjs'; import { parseArgs } from 'node:util'; import { pathToFileURL } from 'node:url'; import path from 'node:path';
import { cases as first } from './cases.mjs';
import { cases as own } from './own.mjs';
const cases = [...first, ...own];
const { values: o } = parseArgs({ options: { server: { type: 'string' }, hook: { type: 'string' }, prelude: { type: 'string' }, sparse: { type: 'string', default: '0' }, only: { type: 'string' } } });
process.on('unhandledRejection', () => {});
let transform = null, child;
if (o.hook) transform = (await import(pathToFileURL(path.resolve(o.hook)))).transform;
if (o.server) { child = spawn('/bin/sh', ['-c', `exec ${o.server}`], { stdio: ['pipe', 'pipe', 'inherit'] }); const w = new Map(); let id = 0; eachLine(child.stdout, (l) => { const r = JSON.parse(l), p = w.get(r.id); r.error !== undefined ? p.no(new Error(r.error)) : p.ok(r.code); }); transform = (source, i) => new Promise((ok, no) => { w.set(++id, { ok, no }); child.stdin.write(JSON.stringify({ id, source, ...i }) + '\n'); }); }
const randomPolicy = randomPolicies(1);
async function run(c, t, policy) {
  const log = []; const ctx = vm.createContext({}); const g = vm.runInContext('globalThis', ctx);
  Object.defineProperty(g, 'out', { value: (...a) => { log.push(a.map((x) => (x === null ? '' : String(x))).join()); }, enumerable: false });
  let code = c.kind === 'strict' ? `"use strict";\n${c.code}` : c.code;
  if (t) { if (o.prelude) vm.runInContext(fs.readFileSync(o.prelude, 'utf8'), ctx); try { code = await t(code, { filename: `/case/${c.id}.js`, kind: c.kind === 'module' ? 'module' : c.kind === 'cjs' ? 'cjs' : 'script', strict: c.kind !== 'script', policy }); } catch (e) { return `TRANSFORM: ${e.message}`; } }
  try {
    if (c.kind === 'module') { const m = new vm.SourceTextModule(code, { context: ctx, identifier: c.id, importModuleDynamically: () => m }); await m.link(() => m); await m.evaluate(); }
    else if (c.kind === 'cjs') { const module = { exports: {} }; vm.compileFunction(code, ['exports', 'require', 'module', '__filename', '__dirname'], { parsingContext: ctx }).call(module.exports, module.exports, () => {}, module, 'f', 'd'); }
    else new vm.Script(code, { filename: `/case/${c.id}.js` }).runInContext(ctx, { timeout: 5000 });
    await new Promise((r) => setTimeout(r, 5));
  } catch (e) { log.push(`THROWN ${e?.name}: ${e?.message}`); }
  return log.join(';');
}
let bad = 0, badPlain = 0;
for (const c of cases) { if (o.only && !c.id.includes(o.only)) continue;
  const want = typeof c.want === 'function' ? c.want(parseInt(process.versions.node, 10)) : c.want;
  const p = await run(c, null); if (want !== undefined && p !== want) { badPlain++; console.log(`WANT?  ${c.id}: want ${JSON.stringify(want)} plain gives ${JSON.stringify(p)}`); }
  if (transform) { const t = await run(c, transform); if (t !== p) { bad++; console.log(`DIFF   ${c.id}: ${c.hazard}\n       plain ${JSON.stringify(p)}\n       trans ${JSON.stringify(t)}`); }
    for (let i = 0; i < +o.sparse; i++) { const policy = randomPolicy(`/case/${c.id}.js`), t = await run(c, transform, policy); if (t !== p) { bad++; console.log(`SPARSE ${c.id}: ${c.hazard}\n       plain ${JSON.stringify(p)}\n       trans ${JSON.stringify(t)}\n       ${policy}`); } } } }
console.log(`${first.length} + ${own.length} cases, plain mismatches with 'want': ${badPlain}, differences after transform: ${bad}`);
child?.kill(); process.exit(bad || badPlain ? 1 : 0);
