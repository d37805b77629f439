// batch(seeds) → the text of a file with one program for each seed, run one after the other. The same seed always gives the same
// program. A program does to its variables and objects whatever a program can do, and calls `probe(number, names, …values)` where
// what it holds is to be compared: the plain run writes it down there, and in the recorded run `probe` does nothing.
export function batch(seeds) {
  const programs = seeds.map((seed) => new Generator(seed).program());
  return `${programs.map(({ text }) => text).join('\n')}
module.exports = [${programs.map(({ name }) => name).join(', ')}];
`;
}

const KEYS = ['a', 'b', 'c', 'd'];

class Generator {
  constructor(seed) {
    this.seed = seed;
    this.random = randomNumbers(seed);
    this.lines = [];
    this.count = 0;
    this.probes = 0;
    this.budget = 60;
    // Names in scope by what they hold: numbers can be written, the others are constant and hold what their name says.
    this.scope = { numbers: [], any: [], objects: [], arrays: [], maps: [], sets: [], functions: [], instances: [] };
    this.kind = 'plain';
    this.depth = 0;
  }

  program() {
    const name = `p${this.seed}`;
    this.kind = this.chance(0.3) ? 'async' : 'plain';
    this.isStrict = this.chance(0.5);
    this.emit(`${this.kind === 'async' ? 'async ' : ''}function ${name}(probe) {${this.isStrict ? " 'use strict';" : ''} let fuel = 60;`);
    this.newObject();
    this.newArray();
    this.newNumber();
    for (let i = 0; i < 2; i++) this.functionDeclaration();
    if (this.chance(0.6)) this.classDeclaration();
    if (this.chance(0.4)) this.generatorDeclaration();
    for (let i = 0; i < 22; i++) {
      if (this.chance(0.35)) this.declaration();
      else this.guarded(() => this.statement(2));
      if (this.chance(0.3)) this.probe();
    }
    this.probe();
    this.emit('}');
    return { name, text: this.lines.join('\n') };
  }

  // --- text

  emit(text) { this.lines.push(text); }
  chance(p) { return this.random() < p; }
  int(n) { return Math.floor(this.random() * n); }
  pick(list) { return list[this.int(list.length)]; }
  name(prefix) { return `${prefix}${++this.count}`; }
  key() { return this.pick(KEYS); }

  block(inside) {
    const saved = this.scope;
    this.scope = Object.fromEntries(Object.entries(saved).map(([k, list]) => [k, [...list]]));
    inside();
    this.scope = saved;
  }

  guarded(inside) {
    this.emit('try {');
    this.block(inside);
    const e = this.name('e');
    this.emit(`} catch (${e}) {`);
    this.block(() => { this.scope.any.push(e); if (this.chance(0.3)) this.probe(); });
    if (this.chance(0.2)) { this.emit('} finally {'); this.block(() => this.statement(0)); }
    this.emit('}');
  }

  // What is in scope, as far as it holds still until the call: all of it.
  probe() {
    const names = Object.values(this.scope).flat().map((x) => x.name ?? x);
    const some = names.filter(() => this.chance(0.6)).slice(-14);
    this.emit(`probe(${this.seed * 1000 + ++this.probes}, '${some.join(' ')}'${some.map((n) => `, ${n}`).join('')});`);
  }

  // --- values

  literal() {
    if (this.chance(0.1)) return this.pick(['3 * 7', "'a' + 'b'", '!0', 'typeof 1', '`t${1}`', '(1, 2)', 'null ?? 4', 'true && 6']);
    return this.pick(['0', '1', '-7', '2.5', '-0', 'NaN', "'text'", "'ü😀'", "''", 'true', 'false', 'null', 'undefined', '12n', '`t`', '4294967296']);
  }

  value(depth = 2) {
    const { numbers, any, objects, arrays, maps, sets, functions, instances } = this.scope;
    const options = [() => this.literal()];
    for (const list of [numbers, any, objects, arrays, instances]) if (list.length) options.push(() => this.pick(list));
    if (depth > 0) {
      options.push(() => `[${this.value(0)}, ${this.value(0)}]`, () => `{ a: ${this.value(0)}, e: ${this.value(0)} }`);
      if (numbers.length) options.push(() => this.number(), () => `\`n\${${this.pick(numbers)}}\``, () => `${this.pick(numbers)} > ${this.int(5)} ? ${this.value(0)} : ${this.value(0)}`);
      if (objects.length) options.push(() => `${this.pick(objects)}.${this.key()}`, () => `${this.pick(objects)}.${this.key()}?.a`, () => `{ ...${this.pick(objects)}, z: ${this.value(0)} }`, () => `JSON.parse('{"a":[1,{"b":2}],"c":null}')`);
      if (arrays.length) options.push(() => `${this.pick(arrays)}.length`, () => `${this.pick(arrays)}[${this.int(4)}]`, () => `[...${this.pick(arrays)}, ${this.value(0)}]`, () => `${this.pick(arrays)}.slice(${this.int(2)})`, () => `${this.pick(arrays)}.map((x) => x)`, () => `${this.pick(arrays)}.${this.pick(['at', 'none'])}?.(${this.value(1)})`);
      if (maps.length) options.push(() => `${this.pick(maps)}.get(${this.mapKey()})`);
      if (sets.length) options.push(() => `${this.pick(sets)}.size`);
      if (functions.length && depth > 1) options.push(() => this.call(), () => this.call());
    }
    return this.pick(options)();
  }

  // As an expression statement or body of an arrow, where a brace would begin a block.
  operand(depth) {
    const text = this.value(depth);
    return text.startsWith('{') ? `(${text})` : text;
  }

  number() {
    const { numbers, arrays } = this.scope;
    return this.pick([`${this.pick(numbers)} + ${this.int(9)}`, `${this.pick(numbers)} * 2 % 7`, `-${this.pick(numbers)}`, arrays.length ? `${this.pick(arrays)}.length` : '3']);
  }

  mapKey() {
    const { objects } = this.scope;
    return this.pick([`${this.int(3)}`, `'k${this.int(2)}'`, 'NaN', ...(objects.length ? [this.pick(objects)] : [])]);
  }

  call() {
    const f = this.pick(this.scope.functions);
    const text = `${f.name}(${Array.from({ length: this.int(4) }, () => this.value(0)).join(', ')})`;
    return f.isAsync ? (this.kind === 'async' ? `await ${text}` : '0') : text;
  }

  // --- declarations

  declaration() {
    return this.pick([() => this.newObject(), () => this.newObject(), () => this.newArray(), () => this.newArray(), () => this.newNumber(), () => this.newAny(), () => this.newAny(), () => this.newMap(), () => this.newSet(), () => this.destructuring(), () => this.alias()])();
  }

  newNumber() {
    const n = this.name('n');
    this.emit(`${this.pick(['let', 'var'])} ${n} = ${this.int(5)};`);
    this.scope.numbers.push(n);
  }

  newAny() {
    const v = this.name('v');
    this.emit(this.chance(0.15) ? `let ${v};` : `${this.pick(['let', 'var'])} ${v} = ${this.value()};`);
    this.scope.any.push(v);
  }

  newObject() {
    const o = this.name('o');
    const { objects } = this.scope;
    const forms = [() => `{ a: ${this.value(1)}, b: ${this.value(0)} }`, () => `{ a: { a: ${this.value(0)}, b: ${this.value(0)} }, c: [${this.value(0)}] }`, () => '{}', () => `{ ['k' + ${this.int(3)}]: ${this.value(0)}, b: 1 }`, () => `{ get a() { return 1; }, set a(x) { this.b = x; }, b: ${this.value(0)} }`, () => `{ [Symbol.for('s')]: ${this.value(0)}, c: 2 }`, () => `Object.fromEntries([['a', ${this.value(0)}]])`];
    if (objects.length) forms.push(() => `{ ...${this.pick(objects)}, b: ${this.value(0)} }`, () => `Object.create(${this.pick(objects)})`, () => `Object.assign({}, ${this.pick(objects)})`);
    this.emit(`const ${o} = ${this.pick(forms)()};`);
    this.scope.objects.push(o);
  }

  newArray() {
    const a = this.name('a');
    const { arrays } = this.scope;
    const some = () => Array.from({ length: this.int(5) }, () => this.value(0)).join(', ');
    const forms = [() => `[${some()}]`, () => `[${some()}]`, () => `[3, 1, 2]`, () => `[[1, 2], [${this.value(0)}]]`, () => `[1, , 3]`, () => `new Array(${this.int(4)})`, () => `Array.from({ length: 3 }, (_, i) => i * 2)`, () => `'b,a'.split(',')`];
    if (arrays.length) forms.push(() => `[${this.value(0)}, ...${this.pick(arrays)}]`, () => `${this.pick(arrays)}.filter((x) => x)`);
    this.emit(`const ${a} = ${this.pick(forms)()};`);
    this.scope.arrays.push(a);
  }

  newMap() {
    const m = this.name('m');
    this.emit(`const ${m} = new Map(${this.pick(['', `[[1, ${this.value(0)}], ['k0', ${this.value(0)}]]`])});`);
    this.scope.maps.push(m);
  }

  newSet() {
    const s = this.name('s');
    this.emit(`const ${s} = new Set(${this.pick(['', `[1, ${this.value(0)}]`])});`);
    this.scope.sets.push(s);
  }

  alias() {
    const { objects, arrays } = this.scope;
    const [list, prefix] = this.chance(0.5) ? [objects, 'o'] : [arrays, 'a'];
    if (!list.length) return this.newNumber();
    const q = this.name(prefix);
    this.emit(`const ${q} = ${this.pick(list)};`);
    return list.push(q);
  }

  destructuring() {
    const { objects, arrays, any } = this.scope;
    const [x, y, z] = [this.name('v'), this.name('v'), this.name('v')];
    const o = objects.length ? this.pick(objects) : '{ a: 1 }';
    const a = arrays.length ? this.pick(arrays) : '[1]';
    const [text, names] = this.pick([
      [`let { a: ${x}, zz: ${y} = ${this.literal()}, ...${z} } = ${o};`, [x, y, z]],
      [`let [${x}, ${y} = ${this.literal()}, ...${z}] = ${a};`, [x, y, z]],
      [`let [{ a: ${x} }, , ${y}] = [${o}, 1, ${a}];`, [x, y]],
    ]);
    this.emit(text);
    any.push(...names);
  }

  // --- statements

  statement(depth) {
    if (this.budget-- <= 0) return this.write();
    const options = [() => this.write(), () => this.write(), () => this.put(), () => this.put(), () => this.put(), () => this.arrayChange(), () => this.arrayChange(), () => this.arrayChange(), () => this.mapChange(), () => this.builtIn(), () => this.builtIn(), () => this.call_(), () => this.instanceUse()];
    if (depth > 0) {
      const inner = () => { for (let i = 0; i <= this.int(3); i++) { this.statement(depth - 1); if (this.chance(0.15)) this.probe(); } };
      options.push(() => this.if_(inner), () => this.for_(inner), () => this.forOf(inner), () => this.forIn(inner), () => this.while_(inner), () => this.switch_(inner), () => this.try_(inner), () => this.callback(inner));
      if (this.kind === 'async') options.push(() => this.await_(), () => this.await_());
      if (this.kind === 'function') options.push(() => this.emit(`if (fuel % 5 === 0) return ${this.value(1)};`));
    }
    return this.pick(options)();
  }

  write() {
    const { numbers, any, objects } = this.scope;
    if (!any.length) return this.newAny();
    const [v, w, n] = [this.pick(any), this.pick(any), this.pick(numbers)];
    const forms = [`${v} = ${this.value()};`, `${v} = ${this.value()};`, `${n}++;`, `--${n};`, `${n} += ${1 + this.int(5)};`, `${v} ??= ${this.value(0)};`, `${v} ||= ${this.value(0)};`, `(${v} = [${this.value(0)}]).concat(1);`, `Math.max(...(${v} = [${this.int(5)}]));`];
    if (v !== w) forms.push(`[${v}, ${w}] = [${w}, ${v}];`);
    if (objects.length) forms.push(`({ a: ${v}, b: ${w} = 3 } = ${this.pick(objects)});`, `[${this.pick(objects)}.a, ${v}] = [${this.value(0)}, 1];`);
    return this.emit(this.pick(forms));
  }

  put() {
    const { objects, arrays, numbers } = this.scope;
    const [o, k] = [this.pick(objects), this.key()];
    const forms = [`${o}.${k} = ${this.value(1)};`, `${o}.${k} = ${this.value(1)};`, `${o}['k' + ${this.int(3)}] = ${this.value(0)};`, `${o}.${k}++;`, `${o}.${k} += 1;`, `delete ${o}.${k};`, `delete ${o}['k' + ${this.int(3)}];`, `if (typeof ${o}.a === 'object' && ${o}.a) ${o}.a.b = ${this.value(0)};`, `${o}[${this.int(3)}] = ${this.value(0)};`, `${o}[Symbol.for('s')] = ${this.value(0)};`, `${o}[${this.pick(numbers)}] = ${this.value(0)};`, `${o}.${k} ??= ${this.value(0)};`, `(${o}.${k} = [${this.value(0)}]).push(${this.value(0)});`, `(${o}[${this.pick(numbers)}] = [${this.value(0)}]).push(1);`, `if (typeof ${o}.a === 'object' && ${o}.a) (${o}.a.b = [1]).push(${this.value(0)});`];
    if (arrays.length) forms.push(`${o}.${k} = ${this.pick(arrays)};`);
    return this.emit(this.pick(forms));
  }

  arrayChange() {
    const { arrays } = this.scope;
    if (!arrays.length) return this.newArray();
    const a = this.pick(arrays);
    const v = () => this.value(0);
    return this.emit(this.pick([`${a}.push(${v()});`, `${a}.push(${v()}, ${v()});`, `${a}.pop();`, `${a}.shift();`, `${a}.unshift(${v()});`, `${a}.unshift(${v()}, ${v()});`, `${a}.splice(${this.int(3)}, ${this.int(3)});`, `${a}.splice(1, 1, ${v()});`, `${a}.splice(-1, 0, ${v()}, ${v()});`, `${a}.splice(${this.int(2)});`, `${a}.reverse();`, `${a}.sort();`, `${a}.fill(${v()}, 1, 2);`, `${a}.copyWithin(0, 1);`, `${a}.length = ${this.int(4)};`, `${a}.length--;`, `${a}[${this.int(5)}] = ${v()};`, `${a}[${a}.length] = ${v()};`, `${a}[${this.int(3)}]++;`, `delete ${a}[${this.int(3)}];`, `${a}.extra = ${v()};`, `Array.prototype.push.call(${a}, ${v()});`, `${a}['1'] = ${v()};`, `[${a}[0], ${a}[1]] = [${a}[1], ${a}[0]];`]));
  }

  mapChange() {
    const { maps, sets } = this.scope;
    const useMap = maps.length && (!sets.length || this.chance(0.6));
    if (!useMap && !sets.length) return this.newMap();
    const [m, s] = [this.pick(maps), this.pick(sets)];
    return this.emit(useMap ? this.pick([`${m}.set(${this.mapKey()}, ${this.value(0)});`, `${m}.set(${this.mapKey()}, ${this.value(1)}).set('k1', 2);`, `${m}.delete(${this.mapKey()});`, `if (${m}.size > 3) ${m}.clear();`]) : this.pick([`${s}.add(${this.value(0)});`, `${s}.add(${this.mapKey()});`, `${s}.delete(${this.mapKey()});`, `if (${s}.size > 3) ${s}.clear();`]));
  }

  builtIn() {
    const { objects, arrays } = this.scope;
    const [o, q, k] = [this.pick(objects), this.pick(objects), this.key()];
    const v = () => this.value(0);
    const forms = [`Object.assign(${o}, { a: ${v()}, d: ${v()} });`, `Object.assign(${o}, ${q});`, `Object.defineProperty(${o}, '${k}', { value: ${v()}, writable: true, enumerable: true, configurable: true });`, `Object.defineProperty(${o}, 'hidden', { value: ${v()}, configurable: true });`, `Object.defineProperty(${o}, 'acc', { get() { return 1; }, set(x) {}, configurable: true });`, `${o}.acc = ${v()};`, `Reflect.set(${o}, '${k}', ${v()});`, `Reflect.deleteProperty(${o}, '${k}');`, `Object.defineProperties(${o}, { a: { value: ${v()}, writable: true, configurable: true, enumerable: true } });`];
    if (o !== q) forms.push(`Object.setPrototypeOf(${o}, ${q});`);
    if (this.chance(0.3)) forms.push(`Object.freeze(${o});`, `Object.preventExtensions(${o});`, `Object.seal(${o});`);
    if (arrays.length) forms.push(`Object.assign(${this.pick(arrays)}, [${v()}]);`);
    return this.emit(this.pick(forms));
  }

  call_() {
    if (!this.scope.functions.length) return this.write();
    const v = this.name('v');
    this.emit(`let ${v} = ${this.call()};`);
    return this.scope.any.push(v);
  }

  instanceUse() {
    const { instances } = this.scope;
    if (!instances.length) return this.put();
    const i = this.pick(instances);
    return this.emit(this.pick([`${i}.m(${this.value(0)});`, `${i}.p = ${this.value(0)};`, `${i}.prop = ${this.value(0)};`, `${i}.count++;`, `delete ${i}.p;`, `${i}.constructor.made++;`, `Object.getPrototypeOf(${i}).late = ${this.value(0)};`]));
  }

  if_(inner) {
    this.emit(`if (${this.pick(this.scope.numbers)} ${this.pick(['<', '>', '==='])} ${this.int(4)}) {`);
    this.block(inner);
    if (this.chance(0.5)) { this.emit('} else {'); this.block(inner); }
    this.emit('}');
  }

  for_(inner) {
    const i = this.name('n');
    this.emit(`for (let ${i} = 0; ${i} < ${1 + this.int(3)}; ${i}++) {`);
    this.block(() => {
      if (this.chance(0.5)) { const f = this.name('f'); this.emit(`const ${f} = (x) => { ${this.chance(0.5) ? `${this.pick(this.scope.numbers)} += 1; ` : ''}return [${i}, x]; };`); this.scope.functions.push({ name: f }); }
      // Not to be written, or the loop might not end.
      this.scope.any.push(i);
      const saved = this.scope.any;
      this.scope.any = saved.filter((n) => n !== i);
      const read = this.name('v');
      this.emit(`let ${read} = ${i};`);
      this.scope.any.push(read);
      inner();
      if (this.chance(0.3)) this.emit(`if (${this.pick(this.scope.numbers)} > 6) ${this.pick(['break', 'continue'])};`);
    });
    this.emit('}');
  }

  forOf(inner) {
    const x = this.name('v');
    const { arrays, maps } = this.scope;
    const [head, names] = maps.length && this.chance(0.3) ? [`const [${x}, ${x}v] of [...${this.pick(maps)}]`, [`${x}v`]] : [`let ${x} of ${arrays.length ? `${this.pick(arrays)}.slice(0, 3)` : '[1, 2]'}`, [x]];
    this.emit(`for (${head}) {`);
    this.block(() => { if (head.startsWith('let')) this.scope.any.push(...names); inner(); });
    this.emit('}');
  }

  forIn(inner) {
    const k = this.name('v');
    this.emit(`for (let ${k} in { ...${this.pick(this.scope.objects)} }) {`);
    this.block(() => { this.scope.any.push(k); inner(); });
    this.emit('}');
  }

  while_(inner) {
    const n = this.name('w');
    this.emit(`let ${n} = ${1 + this.int(3)};`);
    this.emit(this.chance(0.5) ? `while (${n}-- > 0) {` : `do {`);
    const isDo = this.lines.at(-1).startsWith('do');
    this.block(inner);
    this.emit(isDo ? `} while (--${n} > 0);` : '}');
  }

  switch_(inner) {
    this.emit(`switch (${this.pick(this.scope.numbers)}) {`);
    for (let i = 0; i < 3; i++) {
      this.emit(`case ${i}: {`);
      this.block(inner);
      this.emit(`}${this.chance(0.6) ? ' break;' : ''}`);
    }
    this.emit('default: {');
    this.block(inner);
    this.emit('}');
    this.emit('}');
  }

  try_(inner) {
    this.guarded(() => { inner(); if (this.chance(0.5)) this.emit(`if (fuel > 0) throw ${this.pick([`new Error('e')`, this.operand(1)])};`); });
  }

  callback(inner) {
    const x = this.name('v');
    const { arrays } = this.scope;
    const list = arrays.length ? `${this.pick(arrays)}.slice(0, 2)` : '[1, 2]';
    const outer = this.kind;
    this.emit(this.pick([`${list}.forEach((${x}) => {`, `${list}.forEach(function (${x}) {`, `[...${list}].sort((${x}) => { if (fuel-- < 0) return 0;`]));
    this.kind = 'callback';
    this.block(() => { this.scope.any.push(x); inner(); });
    this.kind = outer;
    this.emit('});');
  }

  await_() {
    const v = this.name('v');
    this.emit(`let ${v} = await ${this.pick([this.value(0), `Promise.resolve(${this.value(0)})`, `new Promise((r) => setImmediate(r, ${this.literal()}))`])};`);
    this.scope.any.push(v);
  }

  // --- functions

  body(kind, parameters, inside) {
    const outer = this.kind;
    this.kind = kind;
    this.block(() => { this.scope.any.push(...parameters); inside(); });
    this.kind = outer;
  }

  functionDeclaration() {
    const f = this.name('f');
    const [a, b, c] = [this.name('v'), this.name('v'), this.name('v')];
    const [head, names] = this.pick([[`${a}, ${b}`, [a, b]], [`${a}, ${b} = ${this.literal()}, ...${c}`, [a, b, c]], [`${a}, { x: ${b} = 1, y: ${c} } = { y: 2 }`, [a, b, c]]]);
    const isAsync = this.kind === 'async' && this.chance(0.4);
    this.emit(`${isAsync ? 'async ' : ''}function ${f}(${head}) {`);
    this.emit(`if (fuel-- <= 0) return ${this.literal()};`);
    this.scope.functions.push({ name: f, isAsync });
    this.body(isAsync ? 'async' : 'function', names, () => {
      for (let i = 0; i < 4; i++) { if (this.chance(0.3)) this.declaration(); else this.statement(1); }
      if (this.chance(0.5)) this.probe();
      if (this.chance(0.3) && !isAsync) this.emit(`${a} = ${f}(${this.pick(names)});`);
    });
    this.emit(this.chance(0.7) ? `return ${this.pick(names)};` : '');
    this.emit('}');
  }

  generatorDeclaration() {
    const g = this.name('g');
    const [a, x] = [this.name('v'), this.name('v')];
    this.emit(`function* ${g}(${a}) {`);
    this.body('generator', [a], () => {
      for (let i = 0; i < 2; i++) { this.statement(1); if (this.chance(0.5)) this.probe(); this.emit(`${a} = yield ${this.value(1)};`); }
    });
    this.emit('}');
    this.emit(`for (let ${x} of ${g}(${this.value(0)})) {`);
    this.block(() => { this.scope.any.push(x); this.probe(); this.statement(1); });
    this.emit('}');
  }

  classDeclaration() {
    const [K, L, i, j, x, y] = ['K', 'K', 'i', 'i', 'v', 'v'].map((p) => this.name(p));
    this.emit(`class ${K} { count = ${this.int(4)}; blank; static made = 0; #hidden = ${this.literal()};`);
    this.emit(`constructor(${x}) { this.p = ${x}; ${K}.made++; ${this.chance(0.5) ? 'this.q = [this.p];' : ''} }`);
    this.emit(`get prop() { return this.#hidden; } set prop(${x}) { this.#hidden = ${x}; this.set = ${x}; }`);
    this.emit(`m(${y}) {`);
    this.body('method', [y], () => { this.emit(`this.count++; this.q = ${y};`); this.statement(1); if (this.chance(0.4)) this.probe(); });
    this.emit('return this; } }');
    this.emit(`class ${L} extends ${K} { extra = ${this.value(0)}; constructor(${x}) { super(${x}); this.r = ${this.pick([x, 'this.p', 'this.count'])}; } m(${y}) { this.own = ${y}; return super.m(${y}); } }`);
    this.emit(`const ${i} = new ${K}(${this.value(0)}), ${j} = new ${L}(${this.value(0)});`);
    this.scope.instances.push(i, j);
  }
}

function randomNumbers(seed) {
  let state = Math.imul(seed, 0x9e3779b1) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
