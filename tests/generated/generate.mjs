// generate(seed) → the text of a program that logs what it does (log.cjs). The same seed always gives the same program.
// At most one thing that the log identifies by its line stands on a line.
import { randomNumbers } from './random.mjs';

export function generate(seed) {
  return new Generator(seed).program();
}

class Generator {
  constructor(seed) {
    this.random = randomNumbers(seed);
    this.lines = [];
    this.count = 0;
    this.budget = 90;
    // What is in scope: variables that can be read, those that can be written, counters, objects, arrays, functions.
    this.scope = { read: [], write: [], counters: [], objects: [], arrays: [], functions: [], generators: [], classes: [] };
    this.frame = { depth: 'd0', kind: 'main' };
    this.loops = [];
  }

  program() {
    this.emit(`${this.chance(0.5) ? "'use strict'; " : ''}const L = require('./log.cjs'); const d0 = 1;`);
    const tasks = [];
    for (let i = 0; i < 3; i++) this.functionDeclaration();
    for (let i = 0; i < 14; i++) {
      // What is declared must stay in scope, so declarations are not guarded; they call nothing that could throw.
      if (this.chance(0.4)) this.declaration();
      else this.guarded(() => { this.statement(2); });
    }
    for (let i = 0; i < 6; i++) this.guarded(() => this.callStatement());
    for (let i = 0; i < 2; i++) tasks.push(this.asyncFunction());
    for (const name of tasks) this.emit(`${name}(${this.value(1)}).then((r) => { const d = L.enter('?'); console.log(typeof r); L.leave(d); });`);
    this.emit(`console.log(${this.scope.read.slice(0, 8).map((n) => `typeof ${n}`).join(', ') || 0});`);
    this.emit('L.endOfMain();');
    return `${this.lines.join('\n')}\n`;
  }

  // --- text

  emit(text) { this.lines.push(text); }
  get line() { return this.lines.length + 1; }
  chance(p) { return this.random() < p; }
  int(n) { return Math.floor(this.random() * n); }
  pick(list) { return list[this.int(list.length)]; }
  name(prefix) { return `${prefix}${++this.count}`; }

  block(inside) {
    const saved = this.scope;
    this.scope = Object.fromEntries(Object.entries(saved).map(([k, list]) => [k, [...list]]));
    inside();
    this.scope = saved;
  }

  guarded(inside) {
    this.emit('try {');
    this.block(inside);
    this.emit('} catch (error) {');
    this.emit(`L.caught(${this.frame.depth}, error);`);
    if (this.chance(0.3)) { this.emit('} finally {'); this.block(() => this.declaration()); }
    this.emit('}');
  }

  // --- values: expressions without anything that is logged by its line

  literal() {
    return this.pick(['0', '1', '-7', '2.5', '1e21', '0.1', '-0', 'NaN', "'text'", "'ü😀'", "''", 'true', 'false', 'null', 'undefined', '12n', '`tpl`', '255', '4294967296']);
  }

  value(depth = 2) {
    const { read, counters, objects, arrays, functions, classes } = this.scope;
    const options = [() => this.literal()];
    if (read.length) options.push(() => this.pick(read), () => this.pick(read));
    if (depth > 0) {
      options.push(() => `[${this.value(0)}, ${this.value(0)}]`, () => `({ a: ${this.value(0)}, b: ${this.value(0)} })`, () => `typeof ${this.value(0)}`, () => `(${this.value(0)} === ${this.value(0)})`);
      if (counters.length) options.push(() => `${this.pick(counters)} * ${this.int(9)}`, () => `(${this.pick(counters)} + ${this.int(9)}) % 5`, () => `\`n\${${this.pick(counters)}}\``);
      if (objects.length) options.push(() => `${this.pick(objects)}.${this.pick(['a', 'b', 'c'])}`, () => `${this.pick(objects)}['a']`, () => this.pick(objects), () => `({ ...${this.pick(objects)}, z: 1 })`);
      if (arrays.length) options.push(() => `${this.pick(arrays)}.length`, () => `${this.pick(arrays)}[${this.int(3)}]`, () => `[...${this.pick(arrays)}, 1]`, () => this.pick(arrays), () => `${this.pick(arrays)}.map(${this.arrow()})`);
      if (functions.length && depth > 1) options.push(() => this.call(), () => this.pick(functions).name);
      options.push(() => this.arrow());
      if (classes.length && depth > 1) options.push(() => `new ${this.pick(classes)}(${this.value(0)})`);
    }
    return this.pick(options)();
  }

  // An arrow with an expression for a body: it says itself that it was entered and left.
  arrow() {
    const p = this.name('v');
    return `((${p}) => L.leave(L.enter('?', '${p}', ${p}), ${this.pick([p, this.literal(), `typeof ${p}`])}))`;
  }

  call() {
    const f = this.pick(this.scope.functions);
    return `${f.name}(${Array.from({ length: this.int(4) }, () => this.value(0)).join(', ')})`;
  }

  // --- statements

  statement(depth) {
    if (this.budget-- <= 0) return this.assignment();
    const options = [() => this.assignment(), () => this.assignment(), () => this.declaration(), () => this.propertyWrite(), () => this.increment(), () => this.builtin(), () => this.expressionBranch(), () => this.callStatement(), () => this.callStatement()];
    if (depth > 0) {
      const inner = () => { for (let i = 0; i <= this.int(3); i++) this.statement(depth - 1); };
      options.push(() => this.ifStatement(inner), () => this.ifStatement(inner), () => this.forLoop(inner), () => this.whileLoop(inner), () => this.forOf(inner), () => this.forIn(inner), () => this.switchStatement(inner), () => this.guarded(() => { inner(); if (this.chance(0.5)) this.throwStatement(); }));
      if (this.frame.kind !== 'main' && this.chance(0.15)) options.push(() => this.returnStatement());
      if (this.loops.length && this.chance(0.4)) options.push(() => this.jump());
      if (this.frame.kind === 'main') options.push(() => this.functionDeclaration(), () => this.classDeclaration(), () => this.generatorDeclaration());
    }
    if (this.frame.kind === 'async') options.push(() => this.awaitStatement(), () => this.awaitStatement());
    return this.pick(options)();
  }

  declaration() {
    const roll = this.int(6);
    if (roll === 0) return this.newObject();
    if (roll === 1) return this.newArray();
    if (roll === 2) return this.newCounter();
    if (roll === 3) return this.destructuring();
    const v = this.name('v');
    this.emit(`${this.pick(['let', 'var'])} ${v} = ${this.value(1)}; L.write('${v}', ${v});`);
    this.scope.read.push(v);
    this.scope.write.push(v);
  }

  newObject() {
    const o = this.name('v');
    const computed = this.chance(0.2) ? ", ['k' + 1]: 2" : '';
    this.emit(`const ${o} = { a: ${this.value(1)}, b: ${this.value(0)}${computed} }; L.write('${o}', ${o});`);
    this.scope.objects.push(o);
    this.scope.read.push(o);
  }

  newArray() {
    const a = this.name('v');
    this.emit(`const ${a} = [${Array.from({ length: this.int(4) }, () => this.value(1)).join(', ')}]; L.write('${a}', ${a});`);
    this.scope.arrays.push(a);
    this.scope.read.push(a);
  }

  newCounter() {
    const c = this.name('v');
    this.emit(`let ${c} = ${this.int(5)}; L.write('${c}', ${c});`);
    this.scope.counters.push(c);
    this.scope.read.push(c);
  }

  destructuring() {
    const [a, b, c] = [this.name('v'), this.name('v'), this.name('v')];
    const forms = [
      [`const { a: ${a}, zz: ${b} = ${this.literal()}, ...${c} } = { a: ${this.value(0)}, q: 1 };`, [a, b, c]],
      [`let [${a}, , ${b} = ${this.literal()}] = [${this.value(0)}, 2];`, [a, b]],
      [`const [{ x: ${a} }, ...${b}] = [{ x: ${this.value(0)} }, 1, 2];`, [a, b]],
    ];
    const [text, names] = this.pick(forms);
    this.emit(`${text} ${names.map((n) => `L.write('${n}', ${n});`).join(' ')}`);
    this.scope.read.push(...names);
  }

  assignment() {
    const { write, counters } = this.scope;
    if (write.length === 0) return this.declaration();
    const v = this.pick(write);
    const roll = this.int(5);
    if (roll === 0 && counters.length) { const c = this.pick(counters); return this.emit(`${c} ${this.pick(['+=', '-=', '%='])} ${1 + this.int(6)}; L.write('${c}', ${c});`); }
    if (roll === 1 && write.length > 1) { const w = this.pick(write.filter((n) => n !== v)); return this.emit(`[${v}, ${w}] = [${w}, ${v}]; L.write('${v}', ${v}); L.write('${w}', ${w});`); }
    return this.emit(`${v} = ${this.value()}; L.write('${v}', ${v});`);
  }

  callStatement() {
    if (!this.scope.functions.length) return this.assignment();
    const v = this.name('v');
    this.emit(`const ${v} = ${this.call()}; L.write('${v}', ${v});`);
    return this.scope.read.push(v);
  }

  increment() {
    const { counters } = this.scope;
    if (!counters.length) return this.newCounter();
    const c = this.pick(counters);
    return this.chance(0.5) ? this.emit(`L.increment('${c}', ${c}++);`) : this.emit(`++${c}; L.write('${c}', ${c});`);
  }

  propertyWrite() {
    const { objects, arrays } = this.scope;
    if (!objects.length || this.chance(0.1)) return this.newObject();
    const o = this.pick(objects);
    const roll = this.int(4);
    if (roll === 0) { const k = this.name('k'); return this.emit(`${o}['${k}' + 1] = ${this.value(1)}; L.putComputed('${k}1', ${o}, ${o}.${k}1);`); }
    if (roll === 1 && arrays.length) { const a = this.pick(arrays); return this.emit(`${a}[${a}.length] = ${this.value(1)}; L.putComputed(${a}.length - 1, ${a}, ${a}[${a}.length - 1]);`); }
    const key = this.pick(['a', 'b', 'c']);
    return this.emit(`${o}.${key} = ${this.value(1)}; L.put('${key}', ${o}, ${o}.${key});`);
  }

  builtin() {
    const { arrays } = this.scope;
    if (!arrays.length) return this.newArray();
    const a = this.pick(arrays);
    return this.emit(this.pick([`${a}.push(${this.value(1)});`, `${a}.forEach(${this.arrow()});`, `${a}.reverse();`, `new Map([[1, ${a}]]).set(2, ${this.value(0)});`, `Object.assign({}, { q: ${this.value(0)} });`, `${a}.splice(0, 1, ${this.value(0)});`, `new Set(${a}).add(1);`, `console.log(${a}.length);`]));
  }

  expressionBranch() {
    const v = this.name('v');
    const line = this.line;
    const { objects } = this.scope;
    const forms = [`L.branch(${line}, ${this.value(1)}) ? ${this.value()} : ${this.value()}`, `L.branch(${line}, ${this.value(1)}) && ${this.value(0)}`, `L.branch(${line}, ${this.value(1)}) || ${this.value(0)}`, `L.nullish(${line}, ${this.value(0)}) ?? ${this.value(0)}`, `L.nullish(${line}, ${objects.length ? this.pick([...objects, 'null']) : 'undefined'})?.a`];
    this.emit(`let ${v} = ${this.pick(forms)}; L.write('${v}', ${v});`);
    this.scope.read.push(v);
    this.scope.write.push(v);
  }

  condition() {
    const { counters, read } = this.scope;
    if (counters.length && this.chance(0.6)) return `${this.pick(counters)} ${this.pick(['<', '>', '===', '>='])} ${this.int(6)}`;
    return read.length ? this.pick([`${this.pick(read)} === ${this.literal()}`, `!${this.pick(read)}`, this.pick(read)]) : 'true';
  }

  ifStatement(inner) {
    const line = this.line;
    this.emit(`if (${this.condition()}) { L.branch(${line}, true);`);
    this.block(inner);
    this.emit(`} else { L.branch(${line}, false);`);
    if (this.chance(0.6)) this.block(inner);
    this.emit('}');
  }

  forLoop(inner) {
    const i = this.name('v');
    const label = this.chance(0.3) ? this.name('loop') : null;
    this.emit(`${label ? `${label}: ` : ''}for (let ${i} = L.write('${i}', 0); L.loop(${this.line}, ${i} < ${1 + this.int(4)}); L.increment('${i}', ${i}++)) {`);
    this.inLoop(label, () => { this.scope.read.push(i); inner(); if (this.chance(0.3)) this.emit(this.closureOver(i)); });
    this.emit('}');
  }

  closureOver(i) {
    const f = this.name('v');
    return `const ${f} = () => ${i}; L.write('${f}', ${f});`;
  }

  whileLoop(inner) {
    const c = this.name('v');
    this.emit(`let ${c} = 0; L.write('${c}', ${c});`);
    const isDo = this.chance(0.3);
    this.emit(isDo ? 'do {' : `while (L.loop(${this.line}, ${c} < ${1 + this.int(3)})) {`);
    this.emit(`L.increment('${c}', ${c}++);`);
    this.inLoop(null, inner);
    this.emit(isDo ? `} while (L.loop(${this.line}, ${c} < ${1 + this.int(3)}));` : '}');
  }

  forOf(inner) {
    const [a, b] = [this.name('v'), this.name('v')];
    const { arrays, generators } = this.scope;
    if (generators.length && this.chance(0.5)) {
      this.emit(`for (const ${a} of ${this.pick(generators)}(${this.value(0)})) { L.write('${a}', ${a});`);
      this.inLoop(null, () => { this.scope.read.push(a); inner(); });
    } else if (arrays.length && this.chance(0.5)) {
      this.emit(`for (const ${a} of ${this.pick(arrays)}.slice(0, 4)) { L.write('${a}', ${a});`);
      this.inLoop(null, () => { this.scope.read.push(a); inner(); });
    } else {
      this.emit(`for (const [${a}, ${b} = ${this.literal()}] of [[${this.value(0)}], [1, ${this.value(0)}]]) { L.write('${a}', ${a}); L.write('${b}', ${b});`);
      this.inLoop(null, () => { this.scope.read.push(a, b); inner(); });
    }
    this.emit('}');
  }

  forIn(inner) {
    const k = this.name('v');
    this.emit(`for (const ${k} in { a: 1, b: ${this.value(0)}, 7: 1 }) { L.write('${k}', ${k});`);
    this.inLoop(null, () => { this.scope.read.push(k); inner(); });
    this.emit('}');
  }

  inLoop(label, inside) {
    this.loops.push(label);
    this.block(inside);
    this.loops.pop();
  }

  jump() {
    const label = this.pick(this.loops);
    const line = this.line;
    this.emit(`if (${this.condition()}) { L.branch(${line}, true); ${this.pick(['break', 'continue'])}${label ? ` ${label}` : ''}; } else L.branch(${line}, false);`);
  }

  switchStatement(inner) {
    const outside = this.loops;
    this.emit(`switch (${this.scope.counters.length ? this.pick(this.scope.counters) : this.int(4)}) {`);
    // `continue` inside a switch needs a loop around it, so jumps stay out of its arms.
    this.loops = [];
    for (let i = 0; i < 3; i++) {
      this.emit(`case ${i}: { L.reached(${this.line});`);
      this.block(inner);
      this.emit(`}${this.chance(0.6) ? ' break;' : ''}`);
    }
    this.emit(`default: { L.reached(${this.line});`);
    this.block(inner);
    this.emit('}');
    this.emit('}');
    this.loops = outside;
  }

  throwStatement() {
    this.emit(`throw L.thrown(${this.pick([`new Error('e${this.count}')`, this.value(0), '{ code: 1 }'])});`);
  }

  returnStatement() {
    this.emit(`return L.leave(${this.frame.depth}, ${this.value()});`);
  }

  // --- functions

  body(kind, parameters, depthName, inside) {
    const outer = { frame: this.frame, loops: this.loops };
    this.frame = { depth: depthName, kind };
    this.loops = [];
    this.block(() => {
      this.scope.read.push(...parameters);
      this.scope.write.push(...parameters);
      inside();
    });
    Object.assign(this, outer);
  }

  functionDeclaration() {
    const f = this.name('f');
    const d = this.name('d');
    const [a, b, c, r] = [this.name('v'), this.name('v'), this.name('v'), this.name('v')];
    const shape = this.pick([[`${a}, ${b}`, [a, b]], [`${a}, ${b} = ${this.literal()}, ...${r}`, [a, b, r]], [`${a}, { x: ${b} = 1, y: ${c} } = { y: 2 }`, [a, b, c]], [`[${a}] = [5], ${b}`, [a, b]]]);
    // An argument that cannot be destructured is an exception before the function is entered.
    const head = this.pick([`function ${f}(${shape[0]}) {`, `const ${f} = function (${shape[0]}) {`, `const ${f} = (${shape[0]}) => {`]);
    this.emit(`${head} const ${d} = L.enter('${f}'); ${shape[1].map((n) => `L.param('${n}', ${n});`).join(' ')}`);
    this.emit(`if (L.exhausted(${this.line})) return L.leave(${d}, 0);`);
    this.scope.functions.push({ name: f });
    this.body('function', shape[1], d, () => { for (let i = 0; i < 4; i++) this.statement(2); });
    this.emit(this.chance(0.5) ? `return L.leave(${d}, ${this.pick(shape[1])});` : `L.leave(${d});`);
    this.emit(head.startsWith('function') ? '}' : '};');
  }

  generatorDeclaration() {
    const g = this.name('f');
    const d = this.name('d');
    const a = this.name('v');
    this.emit(`function* ${g}(${a}) { let ${d} = L.enter('${g}'); L.param('${a}', ${a});`);
    this.body('generator', [a], d, () => {
      for (let i = 0; i < 3; i++) {
        this.statement(1);
        this.emit(`yield L.suspend(${d}, ${this.value(1)}); ${d} = L.resume();`);
      }
    });
    this.emit(`L.leave(${d});`);
    this.emit('}');
    this.scope.generators.push(g);
  }

  asyncFunction() {
    const f = this.name('f');
    const d = this.name('d');
    const a = this.name('v');
    this.emit(`async function ${f}(${a}) { let ${d} = L.enter('${f}'); L.param('${a}', ${a});`);
    this.emit('try {');
    this.body('async', [a], d, () => { for (let i = 0; i < 6; i++) this.statement(1); });
    this.emit('} catch (error) {');
    this.emit(`L.caught(${d}, error);`);
    this.emit('}');
    this.emit(`return L.leave(${d}, ${a});`);
    this.emit('}');
    return f;
  }

  awaitStatement() {
    const v = this.name('v');
    const d = this.frame.depth;
    this.emit(`let ${v} = await L.suspend(${d}, ${this.pick([this.value(0), `Promise.resolve(${this.value(0)})`, `new Promise((r) => L.leave(L.enter('?'), setImmediate(r, ${this.literal()})))`])}); ${d} = L.resumeTask(); L.write('${v}', ${v});`);
    this.scope.read.push(v);
  }

  classDeclaration() {
    const K = this.name('K');
    const d = this.name('d');
    const [a, b] = [this.name('v'), this.name('v')];
    const base = this.scope.classes.length && this.chance(0.5) ? this.pick(this.scope.classes) : null;
    this.emit(`class ${K}${base ? ` extends ${base}` : ''} { field = 1; #hidden = ${this.literal()}; static made = 0;`);
    this.emit(`constructor(${a}) { const ${d} = L.enter('${K}'); L.param('${a}', ${a}); ${base ? `super(${a}); ` : ''}this.p = ${a}; L.put('p', this, this.p); L.leave(${d}); }`);
    const m = this.name('m');
    const d2 = this.name('d');
    this.emit(`${m}(${b}) { const ${d2} = L.enter('${m}'); L.param('${b}', ${b}); this.q = ${this.pick([b, 'this.p', 'this.#hidden'])}; L.put('q', this, this.q); return L.leave(${d2}, this.q); }`);
    this.emit('}');
    this.scope.classes.push(K);
    const o = this.name('v');
    this.emit(`const ${o} = new ${K}(${this.value(0)}); L.write('${o}', ${o});`);
    this.scope.read.push(o);
    this.emit(`${o}.${m}(${this.value(0)});`);
  }
}

