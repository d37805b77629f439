// names(seed) → the files of a program, of which the first is started, that makes functions without a name in all kinds of places, calls each, and prints the stack
// trace of the call: the names of the functions, and in lines that begin with `type` what also depends on the receiver. V8 infers these
// names from what its parser met before.
import { randomNumbers } from './random.mjs';

export function names(seed) {
  const text = new Names(seed).program();
  // V8 parses each kind of text in its own way.
  return [
    { 'program.cjs': text },
    { 'program.cjs': `'use strict'; ${text}` },
    { 'program.mjs': MODULE + text },
    { 'program.cjs': RUNS_SCRIPT, 'script.js': MODULE + text },
  ][seed % 4];
}

const MODULE = 'const module = { exports: {} }, exports = module.exports; ';
const RUNS_SCRIPT = `const filename = require('node:path').join(__dirname, 'script.js');
require('node:vm').runInThisContext(require('node:fs').readFileSync(filename, 'utf8'), { filename });
`;

const KEYS = ['p', 'q', 'verify', 'default', 'Kind', 'prototype', '_x'];
const OBJECTS = ['o', 'api', 'o.deep', 'module.exports.api', 'exports', 'api.deep.er', 'this', 'Type.prototype', 'list[0]'];
const PLAIN = ['1', "'text'", 'o.zero', 'o.id(1)', 'same(2)', 'o', 'null', '`t${o.zero}`', 'yes', '!o.id(0)', 'o.n++', '-o.zero', 'typeof o'];
// What stands in a function before it ends, besides functions.
const STATEMENTS = [
  'o.id(1);', '{ const y = o.p; }', '{ let q = 1; q = 2; }', 'o.n += 1;', 'o.n++;', '{ const { p } = o; }', 'same({ k: 1 });',
  'if (o.zero) o.id(2); else o.n = 2;', 'for (const z of [1]) o.n = z;', 'for (let i = 0; i < 2; i++) same(i);', 'while (o.zero) o.zero = 0;',
  'try { o.id(); } finally { o.n = 3; }', 'switch (o.n) { case 1: o.id(3); break; default: o.n = 4; }', "throw new Error('thrown');",
];

class Names {
  constructor(seed) {
    this.random = randomNumbers(seed);
    this.count = 0;
  }

  program() {
    const statements = this.many(12, 14, () => `try { ${this.placed()} } catch (e) { tell(e.message); }`);
    return `${BEGINNING}${statements.join('\n')}\n${END}`;
  }

  chance(p) { return this.random() < p; }
  int(n) { return Math.floor(this.random() * n); }
  pick(list) { return list[this.int(list.length)]; }
  one(...makers) { return this.pick(makers)(); }
  many(least, most, make) { return Array.from({ length: least + this.int(most - least + 1) }, make); }
  name(prefix) { return `${prefix}${++this.count}`; }
  key() { return this.pick(KEYS); }
  // A name that can be declared, and be the key of a class.
  word() { return this.key().replace('prototype', 'p'); }

  // --- places

  // V8 parses and compiles some functions with what is around them, and others when they are called.
  placed() {
    const inside = () => this.many(1, 2, () => this.statement()).join(' ');
    return this.one(
      inside, inside, inside,
      () => `(function () { ${inside()} }).call(o);`,
      () => `!function () { ${inside()} }();`,
      () => `(() => { ${inside()} })();`,
      () => `((...rest) => { ${inside()} })();`,
      () => { const name = this.name(this.pick(['outer', 'Outer'])); return `function ${name}() { ${inside()} } ${name}.call(api);`; },
      () => `{ ${inside()} }`,
      () => { const name = this.name(this.pick(['late', 'Late'])); return `const ${name} = () => { ${inside()} }; ${name}();`; },
      () => { const name = this.name('async'); return `const ${name} = async (a, b = ${this.value(1)}) => { ${inside()} }; ${name}().catch(() => {});`; },
      () => `new (class Late { constructor() { ${inside()} } })();`,
      () => `({ method() { ${inside()} } }).method();`,
    );
  }

  statement() {
    const assigned = () => `${this.target()} = ${this.value(3)};`;
    return this.one(
      assigned, assigned, assigned,
      () => `${this.target()} = ${this.target()} = ${this.value(3)};`,
      () => this.declared(), () => this.declared(), () => this.declaredFunction(),
      () => `keep(${this.values(3)});`, () => `keep(${this.values(3)});`,
      () => `[${this.values(3)}].forEach(keep);`,
      () => `${this.target()} ${this.pick(['||=', '&&=', '??='])} ${this.value(2)};`,
      () => `o.n += ${this.value(2)};`,
      () => `({ a: ${this.target()} = ${this.value(2)} } = {});`, () => `[${this.target()} = ${this.value(2)}] = [];`,
      () => `({ ${this.pick(['v', 'free'])} = ${this.value(2)}, ...o.rest } = {});`,
      () => `if (${this.target()} = ${this.value(2)}) keep(${this.value(1)});`,
      () => `for (const f of [${this.values(2)}]) keep(f);`,
      () => `keep((() => { return ${this.value(2)}; })(), (function () { return ${this.value(2)}; })());`,
      () => `(${this.target()} = ${this.value(2)}), ${this.target()} = ${this.value(2)};`,
      () => `(function () { return at(); })(), function () { keep(${this.value(1)}); }();`,
      () => `try { throw ${this.value(2)}; } catch (e) { keep(e); }`,
      () => `yes && (${this.target()} = ${this.value(2)});`,
      () => `Object.assign(${this.pick(['o', 'api'])}, ${this.literal(2)});`,
      () => `o.fill(${this.values(1)}).${this.key()} = ${this.value(1)};`, () => `o.fill(${this.values(1)})[key] = ${this.value(1)};`,
      () => `void (${this.target()} = ${this.value(1)});`,
      () => `switch (${this.value(1)}) { default: ${this.target()} = ${this.value(1)}; }`,
    );
  }

  declared() {
    const name = this.name('d');
    return this.one(
      () => `const ${name} = ${this.value(3)}; keep(${name});`,
      () => `let ${name} = ${this.value(3)}, ${name}b = ${this.value(2)}; keep(${name}, ${name}b);`,
      () => `var { ${name} = ${this.value(2)}, p: ${name}b = ${this.value(1)}, ...${name}c } = {}; keep(${name}, ${name}b);`,
      () => `const [${name} = ${this.value(2)}] = []; keep(${name});`,
      () => `class D${name} { ${this.members(2)} } keep(new D${name}(), D${name});`,
    );
  }

  declaredFunction() {
    const name = this.name('d');
    return this.one(
      () => `function ${name}(a = ${this.value(1)}, { b = ${this.value(1)} } = {}) { return [a, b]; } keep(${name}());`,
      () => `function Make${name}() { this.p = ${this.value(2)}; const self = this; self.q = ${this.value(1)}; } keep(new Make${name}());`,
    );
  }

  target() {
    const member = () => `${this.pick(OBJECTS)}.${this.key()}`;
    return this.one(
      member, member, () => `${this.pick(OBJECTS)}[key]`, () => `${this.pick(OBJECTS)}['${this.key()}']`, () => `list[${this.int(3)}]`,
      () => 'free', () => 'v', () => `same(o).${this.key()}`, () => `o[\`${this.key()}\`]`, () => `(${member()})`, () => `list['${this.int(3)}']`,
    );
  }

  // --- values

  values(depth) { return this.many(1, 3, () => this.value(depth - 1)).join(', '); }

  value(depth) {
    if (depth <= 0) return this.chance(0.75) ? this.made(0) : this.pick(PLAIN);
    const inner = () => this.value(depth - 1);
    const made = () => this.made(depth);
    const choice = () => this.pick(['yes', 'no', 'o.zero', 'api.deep']);
    return this.one(
      made, made, made, made, () => `(${made()})`,
      () => `${choice()} ? ${inner()} : ${inner()}`, () => `${choice()} ? ${inner()} : ${choice()} ? ${inner()} : ${inner()}`,
      () => `(${this.pick(['no', 'o.zero', operand(inner())])} || ${operand(inner())})`,
      () => `no || ${operand(inner())}`, () => `yes && ${operand(inner())}`, () => `o.none ?? ${operand(inner())}`,
      () => `[${this.values(depth)}]`, () => this.literal(depth), () => this.literal(depth),
      () => `same(${this.values(depth)})`, () => `same(${made()})`,
      () => `new Box(${this.values(depth)})`, () => `o.id(${this.values(depth)})`, () => `o?.id(${inner()})`,
      () => `(0, ${inner()})`, () => `(${inner()}, ${inner()})`, () => `(${this.target()} = ${inner()})`,
      () => `(${made()})()`, () => `(() => (${inner()}))()`, () => `(function () { return ${inner()}; })()`,
      () => `[${inner()}][0]`, () => `same([${inner()}]).concat(${inner()})`, () => `(${this.literal(depth)}).p`,
      () => this.classOf(depth), () => `tag\`\${${inner()}}\``, () => `[...[${inner()}]]`, () => `o.id(${inner()}).p`,
      () => `Object.assign(${inner()}, ${this.literal(depth - 1)})`, () => `o[same('p', ${inner()})]`,
    );
  }

  literal(depth) {
    const body = () => this.body(depth - 1);
    const plain = () => `${this.key()}: ${this.value(depth - 1)}`;
    const property = () => this.one(
      plain, plain, plain, () => `'${this.key()}-': ${this.value(depth - 1)}`, () => `[key]: ${this.value(depth - 1)}`,
      () => `${this.int(3)}: ${this.value(depth - 1)}`, () => `${this.key()}() { ${body()} }`, () => `get g${this.key()}() { ${body()} }`,
      () => `async ${this.key()}() { ${body()} }`, () => `[key + 1]() { ${body()} }`, () => `...(${this.value(depth - 1)})`, () => 'key', () => 'o',
    );
    return `{ ${this.many(1, 3, property).join(', ')} }`;
  }

  classOf(depth) {
    const heritage = this.chance(0.2) ? `extends ${this.pick(['Box', `same(class { ${this.members(0)} })`])} ` : '';
    const constructor = heritage ? 'super(); ' : '';
    return `class ${this.chance(0.3) ? 'Named ' : ''}${heritage}{ ${this.members(depth - 1, constructor)} }`;
  }

  members(depth, first = '') {
    const member = () => this.one(
      () => `${this.word()} = ${this.value(depth)};`, () => `static s${this.key()} = ${this.value(depth)};`, () => `[key] = ${this.value(depth - 1)};`,
      () => `${this.word()}() { ${this.body(depth)} }`, () => `static s${this.key()}() { ${this.body(depth)} }`,
      () => `[key + 1]() { ${this.body(depth)} }`, () => `#${this.name('h')} = ${this.value(depth - 1)};`,
      () => `static { ${this.target().replace(/^v$|^free$/, 'o.s')} = ${this.value(depth - 1)}; }`,
    );
    const members = this.many(1, 2, member);
    if (this.chance(0.3)) members.unshift(`constructor() { ${first}this.made = ${this.value(depth - 1)}; }`);
    return members.join(' ');
  }

  made(depth) {
    const body = () => this.body(depth - 1);
    return this.one(
      () => `function () { ${body()} }`, () => `function () { ${body()} }`, () => '() => at()', () => '() => at()',
      () => `() => { ${body()} }`, () => `() => { ${body()} }`, () => `(...rest) => { ${body()} }`,
      () => `(a = ${this.value(depth - 2)}) => at(a)`, () => `() => (${this.value(depth - 1)})`, () => `x => same(at(x), ${this.value(depth - 1)})`,
      () => `({ a = ${this.value(depth - 2)} } = {}) => at(a)`,
      () => `async () => { ${body()} }`, () => `async function () { ${body()} }`, () => 'async () => at()', () => `async x => { await 1; ${body()} }`,
      () => `async (a = ${this.value(depth - 2)}) => at(a)`,
      () => 'function own() { return at(); }', () => `function* () { yield at(); yield ${this.value(depth - 1)}; }`,
    );
  }

  body(depth) {
    const before = this.many(0, 2, () => this.one(
      () => this.pick(STATEMENTS), () => this.pick(STATEMENTS), () => this.pick(STATEMENTS), () => `${this.pick(OBJECTS)}.n = 1;`,
      () => `${this.target()} = ${this.value(depth - 1)};`, () => `keep(${this.value(depth - 1)});`,
    )).join(' ');
    const end = this.one(() => 'return at();', () => 'return at();', () => `return same(at(), ${this.value(depth - 1)});`, () => 'at();');
    return `${this.pick(['', 'const was = at(); '])}${before} ${end}`;
  }
}

// As it must stand beside an operator.
function operand(value) {
  return /=>|\?|&&|\|\||=/.test(value) ? `(${value})` : value;
}

// `at` is called by every function; `keep` keeps what is called at the end.
const BEGINNING = `const kept = []; const seen = new Set(); let n_calls = 0; let free = 0; var v = 0; let current = '';
const tell = (text) => console.log(current, text); const tellOfTypes = (text) => console.log('type', current, text);
const short = (line) => line.trim().replace(/\\(.*[/\\\\]|at \\/.*\\//, '(');
const isHere = (site) => /(program|script)\\.[cm]?js$/.test(site.getFileName());
const answers = (site) => [site.getFunctionName(), site.isToplevel() || site.isConstructor() ? short(String(site)) : site.getLineNumber() + ':' + site.getColumnNumber()];
const sitesOf = () => { Error.prepareStackTrace = (e, sites) => sites; try { return new Error('s').stack; } finally { delete Error.prepareStackTrace; } };
const model = process.env.NAMES_MODEL; const told = new Set(); const once = (text) => { if (!told.has(text)) { told.add(text); console.log(text); } };
const at = (...rest) => { const sites = sitesOf(); if (model) { sites.filter((site) => isHere(site) && site.getEnclosingLineNumber() > 12).forEach((s) => once(JSON.stringify([s.getEnclosingLineNumber(), s.getEnclosingColumnNumber(), s.getFunctionName()]))); return rest[0]; } tell(JSON.stringify(sites.filter(isHere).slice(1, 4).map(answers))); const about = sites.slice(1, 4).map((site) => site.getTypeName() + ' ' + site.getMethodName()); tellOfTypes(about + ' ' + new Error('e').stack.split('\\n').slice(2, 5).map(short).join(' < ')); return rest[0]; };
const same = (...a) => a[a.length - 1]; const keep = (...a) => { kept.push(...a); return a[0]; };
const tag = (s, ...a) => a[0]; const yes = true, no = false, key = 'computed'; class Box { constructor(...a) { this.a = a; } } class Type {}
const o = { id: (...a) => a[0] ?? {}, zero: 0, none: null, n: 0, deep: {}, fill: () => ({}) }; const api = { deep: { er: {} } }; const list = [{}, {}, {}];
module.exports.api = {}; kept.push(o.deep, api, list, module.exports, Type.prototype); process.on('unhandledRejection', () => {});
`;
const END = `current = 'end';
function walk(x, path, depth) {
  if (x === null || (typeof x !== 'object' && typeof x !== 'function') || seen.has(x) || depth > 6 || n_calls > 400) return;
  seen.add(x);
  if (typeof x === 'function' && x !== Type && x !== Box) {
    n_calls++; current = path + ' ' + JSON.stringify(x.name);
    let r;
    try { r = /^class/.test(Function.prototype.toString.call(x)) ? new x() : x(); } catch (e) { if (!model) tellOfTypes('threw ' + e.stack.split('\\n').slice(0, 3).map(short).join(' < ')); }
    if (r && typeof r.next === 'function') { try { r.next(); r = r.next().value; } catch {} }
    if (r && typeof r.then === 'function') { r.then(() => {}, () => {}); r = undefined; }
    walk(r, path + '()', depth + 1);
  }
  for (const k of Reflect.ownKeys(x)) {
    if (k === 'constructor' || (typeof x === 'function' && ['length', 'name', 'arguments', 'caller', 'prototype'].includes(k)) || typeof k === 'symbol') continue;
    const d = Reflect.getOwnPropertyDescriptor(x, k);
    if (d === undefined) continue;
    if (d.get) { current = path + '.get ' + k; try { walk(d.get.call(x), current, depth + 1); } catch {} } else walk(d.value, path + '.' + k, depth + 1);
    // As a method, and after an await.
    if (typeof d.value === 'function' && !/^class/.test(Function.prototype.toString.call(d.value))) { current = path + '.' + k + ' as a method'; try { const r = x[k](); r?.catch?.(() => {}); } catch {} }
  }
  if (typeof x === 'function' && x.prototype && x !== Type) walk(x.prototype, path + '.prototype', depth + 1);
}
for (let i = 0; i < kept.length && i < 300; i++) walk(kept[i], '#' + i, 0);
walk(o, 'o', 0); walk(free, 'free', 0); walk(v, 'v', 0);
`;
