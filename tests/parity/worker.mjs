// Worker: runs a batch of tests, each in fresh vm contexts, plain then transformed.
import vm from 'node:vm';
import fs from 'node:fs';
import path from 'node:path';
import os from 'node:os';
import { spawn, spawnSync } from 'node:child_process';
import { eachLine } from './lines.mjs';
import { policyOf } from './policies.mjs';
import { pathToFileURL } from 'node:url';

process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {}); // stray timers of a finished test
let conf, transform, preludeSrc = '';
const harness = new Map();
const harnessScript = (n) => { let s = harness.get(n); if (!s) harness.set(n, s = new vm.Script(fs.readFileSync(path.join(conf.root, 'harness', n), 'utf8'), { filename: `harness/${n}` })); return s; };
const UNSUPPORTED = new Set(['IsHTMLDDA', 'source-phase-imports', 'source-phase-imports-module-source', 'ShadowRealm', 'import-defer', 'import-text', 'import-bytes', 'host-gc-required']);

export function meta(src) {
  const m = /\/\*---([\s\S]*?)---\*\//.exec(src); const r = { flags: [], includes: [], features: [], negative: null };
  if (!m) return r;
  const y = m[1].replace(/\r\n?/g, '\n');
  for (const k of ['flags', 'includes', 'features']) {
    let a = new RegExp(`^${k}:\\s*\\[([\\s\\S]*?)\\]`, 'm').exec(y);
    if (a) r[k] = a[1].split(',').map((s) => s.trim()).filter(Boolean);
    else if ((a = new RegExp(`^${k}:\\s*\\n((?:\\s+-.*\\n?)+)`, 'm').exec(y))) r[k] = a[1].split('\n').map((s) => s.replace(/^\s*-\s*/, '').trim()).filter(Boolean);
  }
  const n = /^negative:\s*\n((?:[ \t]+.*\n?)+)/m.exec(y);
  if (n) r.negative = { phase: /phase:\s*(\w+)/.exec(n[1])?.[1], type: /type:\s*(\w+)/.exec(n[1])?.[1] };
  return r;
}

const errName = (e) => { try { return (e !== null && typeof e === 'object' && (e.constructor?.name || e.name)) || String(e); } catch { return '?'; } };
const errText = (e) => { try { return e !== null && typeof e === 'object' ? `${errName(e)}: ${e.message}` : String(e); } catch { return 'unprintable'; } };
const makeContext = () => (vm.constants?.DONT_CONTEXTIFY ? vm.createContext(vm.constants.DONT_CONTEXTIFY) : vm.createContext({}));

function realm(R) {
  const ctx = makeContext();
  const g = vm.runInContext('globalThis', ctx);
  const def = (k, v) => Object.defineProperty(g, k, { value: v, writable: true, configurable: true, enumerable: false });
  const $262 = vm.runInContext('({})', ctx);
  $262.global = g;
  $262.createRealm = () => realm(R).$262;
  $262.detachArrayBuffer = (b) => { structuredClone(b, { transfer: [b] }); return null; };
  $262.evalScript = (s) => new vm.Script(s, { filename: 'evalScript', importModuleDynamically: R.dyn }).runInContext(ctx);
  $262.gc = () => globalThis.gc();
  $262.agent = { start() { throw new Error('agent unsupported'); } };
  def('$262', $262); def('print', (...a) => R.print(a.map(String).join(' ')));
  return { ctx, g, $262 };
}

async function runOne(src, file, m, strict, transformed) {
  const isModule = m.flags.includes('module'), raw = m.flags.includes('raw'), isAsync = m.flags.includes('async');
  let finish; const asyncDone = new Promise((r) => { finish = r; });
  const modules = new Map(); const abs = path.join(conf.root, file);
  const R = { print: (s) => { if (s === 'Test262:AsyncTestComplete') finish({ ok: true }); else if (s.startsWith('Test262:AsyncTestFailure:')) finish({ ok: false, msg: s.slice(25) }); } };
  // Fixture sources are transformed before anything runs, so that linking takes the same number of ticks in both runs.
  const fixtures = new Map();
  const prefetch = async (text, from) => {
    for (const q of text.matchAll(/['"`](\.\.?\/[^'"`\n]+?\.m?js)['"`]/g)) {
      const p = path.resolve(path.dirname(from), q[1]); if (fixtures.has(p) || !fs.existsSync(p)) continue;
      const orig = fs.readFileSync(p, 'utf8'); fixtures.set(p, orig); await prefetch(orig, p);
      if (transformed) { try { fixtures.set(p, await transform(orig, { filename: p, kind: 'module', strict: true })); } catch { /* as is */ } }
    }
  };
  const link = (spec, ref, attrs) => {
    const p = path.resolve(path.dirname(ref.identifier ?? abs), spec); const type = attrs?.type ?? attrs?.assert?.type;
    const key = `${p}|${type ?? ''}`;
    if (modules.has(key)) return modules.get(key);
    const code = fixtures.get(p) ?? fs.readFileSync(p, 'utf8'); let mod;
    if (type === 'json') { const v = vm.runInContext('JSON.parse', W.ctx)(code); mod = new vm.SyntheticModule(['default'], function () { this.setExport('default', v); }, { context: W.ctx, identifier: p }); }
    else mod = mkModule(code, p);
    modules.set(key, mod); return mod;
  };
  const linking = new Map(), evaluating = new Map();
  const dyn = async (spec, ref, attrs) => {
    const mod = await link(spec, { identifier: ref?.identifier ?? abs }, attrs);
    if (mod.status === 'unlinked' && !linking.has(mod)) linking.set(mod, mod.link(link));
    await linking.get(mod);
    if (mod.status === 'linked' && !evaluating.has(mod)) evaluating.set(mod, mod.evaluate());
    await evaluating.get(mod);
    if (mod.status === 'errored') throw mod.error;
    return mod;
  };
  R.dyn = dyn;
  const mkModule = (code, p) => new vm.SourceTextModule(code, { context: W.ctx, identifier: p, importModuleDynamically: dyn, initializeImportMeta() {} });
  const W = realm(R);
  const opt = { timeout: conf.timeout };
  if (transformed && preludeSrc) vm.runInContext(preludeSrc, W.ctx, { filename: 'prelude' });
  if (!raw) { harnessScript('assert.js').runInContext(W.ctx); harnessScript('sta.js').runInContext(W.ctx); if (isAsync) harnessScript('doneprintHandle.js').runInContext(W.ctx); for (const i of m.includes) harnessScript(i).runInContext(W.ctx); }
  let code = strict ? `"use strict";\n${src}` : src;
  let tms = 0, terr;
  if (transformed) { const t = performance.now(); try { code = await transform(code, { filename: abs, kind: isModule ? 'module' : 'script', strict: strict || isModule }); } catch (e) { terr = errText(e).slice(0, 300); } tms = performance.now() - t; }
  if (isModule || /import\s*\(|import\s*\./.test(src)) await prefetch(src, abs);
  let phase = 'parse', thrown, threw = false;
  const timer = (ms) => new Promise((r) => { const t = setTimeout(r, ms, { timeout: true }); t.unref?.(); asyncDone.then(() => clearTimeout(t)); });
  try {
    if (isModule) {
      const mod = mkModule(code, abs); modules.set(`${abs}|`, mod);
      phase = 'resolution'; const lp = mod.link(link); linking.set(mod, lp); await lp;
      phase = 'runtime'; const ep = mod.evaluate(opt); evaluating.set(mod, ep); const r = await Promise.race([ep.then(() => null), timer(conf.timeout)]); if (r?.timeout) throw new Error('parity: timeout');
    } else {
      const s = new vm.Script(code, { filename: abs, importModuleDynamically: dyn });
      phase = 'runtime'; s.runInContext(W.ctx, opt);
    }
    if (isAsync) { const r = await Promise.race([asyncDone, timer(conf.timeout)]); phase = 'async'; if (r.timeout) throw new Error('parity: async timeout'); if (!r.ok) throw new Error(r.msg); }
  } catch (e) { threw = true; thrown = e; }
  finish({});
  const base = { tms, terr };
  if (m.negative) {
    if (!threw) return { ...base, status: 'fail', error: `expected ${m.negative.type} (${m.negative.phase}), nothing thrown` };
    if (errName(thrown) !== m.negative.type) return { ...base, status: 'fail', error: `expected ${m.negative.type}, got ${errText(thrown)}` };
    const early = phase === 'parse' || phase === 'resolution';
    if ((m.negative.phase === 'runtime') === early) return { ...base, status: 'fail', error: `expected ${m.negative.type} in ${m.negative.phase}, thrown in ${phase}` };
    return { ...base, status: 'pass' };
  }
  return threw ? { ...base, status: 'fail', error: `[${phase}] ${errText(thrown)}`.slice(0, 400) } : { ...base, status: 'pass' };
}

async function runFile(file) {
  const src = fs.readFileSync(path.join(conf.root, file), 'utf8'); const m = meta(src);
  const bad = m.features.find((f) => UNSUPPORTED.has(f) || conf.skipFeatures.includes(f)) || (m.flags.includes('CanBlockIsFalse') && 'CanBlockIsFalse') || (m.includes.includes('atomicsHelper.js') && 'agents') || (src.includes('$262.agent') && 'agents') || (src.includes('<module source>') && 'module source');
  if (bad) return [{ file, mode: '-', verdict: 'skip', why: bad }];
  const modes = m.flags.includes('module') || m.flags.includes('raw') || m.flags.includes('noStrict') ? [false] : m.flags.includes('onlyStrict') ? [true] : [false, true];
  const out = [];
  for (const strict of modes) {
    const mode = m.flags.includes('module') ? 'module' : m.flags.includes('raw') ? 'raw' : strict ? 'strict' : 'sloppy';
    const plain = await runOne(src, file, m, strict, false);
    if (conf.plainOnly) { out.push({ file, mode, plain, verdict: plain.status === 'pass' ? 'plain-pass' : 'plain-fail' }); continue; }
    const trans = await runOne(src, file, m, strict, true);
    const neg = m.negative && m.negative.phase !== 'runtime';
    let verdict;
    if (plain.status === 'pass' && trans.status === 'pass') verdict = trans.terr && !neg ? 'transform-error' : trans.terr ? 'rejected-early-error' : 'same-pass';
    else if (plain.status === 'pass') verdict = 'regression';
    else if (trans.status === 'pass') verdict = 'masked';
    else verdict = norm(plain.error) === norm(trans.error) ? 'same-fail' : 'error-differs';
    out.push({ file, mode, plain, trans, verdict, tms: trans.tms });
  }
  return out;
}
const norm = (s) => String(s).replace(/\d+/g, '#');

function makeTransform() {
  if (conf.server) { // JSON lines: {id,source,filename,kind,strict} -> {id,code} | {id,error}
    const c = spawn('/bin/sh', ['-c', `exec ${conf.server}`], { stdio: ['pipe', 'pipe', 'inherit'] }); const wait = new Map(); let id = 0;
    eachLine(c.stdout, (l) => { const r = JSON.parse(l), w = wait.get(r.id); wait.delete(r.id); r.error !== undefined ? w.no(new Error(r.error)) : w.ok(r.code); });
    c.on('exit', () => { for (const w of wait.values()) w.no(new Error('transform server died')); });
    return (source, info) => new Promise((ok, no) => { wait.set(++id, { ok, no }); c.stdin.write(`${JSON.stringify({ id, source, ...info, policy: conf.sparse && policyOf(info.filename, path.relative(conf.root, info.filename), conf.sparse) })}\n`); });
  }
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'parity-'));
  process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
  return async (source, info) => {
    const f = path.join(dir, info.kind === 'module' ? 'in.mjs' : 'in.cjs'); fs.writeFileSync(f, source);
    const r = spawnSync('/bin/sh', ['-c', conf.cmd.replaceAll('{in}', f).replaceAll('{kind}', info.kind)], { maxBuffer: 1 << 28 });
    if (r.status !== 0) throw new Error(`transform exit ${r.status}: ${r.stderr}`.slice(0, 300)); return r.stdout.toString();
  };
}
process.on('message', async (msg) => {
  if (msg.conf) {
    conf = msg.conf; if (conf.prelude) preludeSrc = fs.readFileSync(conf.prelude, 'utf8');
    if (conf.hook) { const h = await import(pathToFileURL(conf.hook)); await h.init?.(); transform = async (s, i) => (h.transform ?? h.default)(s, i); preludeSrc += h.prelude ?? ''; }
    else if (conf.server || conf.cmd) transform = makeTransform();
    else transform = async (s) => s;
    process.send({ ready: true });
  } else if (msg.batch) {
    for (const f of msg.batch) {
      process.send({ start: f });
      let r; try { r = await runFile(f); } catch (e) { r = [{ file: f, mode: '*', plain: { status: 'runner-error', error: errText(e) }, verdict: 'runner-error' }]; }
      process.send({ result: r, file: f });
    }
    process.send({ batchDone: true });
  }
});
process.on('disconnect', () => process.exit(0));
