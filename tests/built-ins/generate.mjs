// Expressions of built-ins that only read, at random. Each kind knows how to make more of itself out of others.

/** The same numbers for the same seed. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

class Generator {
  constructor(seed) {
    this.random = random(seed);
    /** Names that functions around have been given, by kind. */
    this.given = { number: [], text: [], order: [] };
    this.nGiven = 0;
  }

  pick(all) {
    return all[Math.floor(this.random() * all.length)];
  }

  /** A function of one parameter of a kind. */
  arrow(kind, body, extra = '') {
    const name = `${kind[0]}${++this.nGiven}`;
    this.given[kind].push(name);
    const made = body();
    this.given[kind].pop();
    return `(${name}${extra}) => ${made.startsWith('{') ? `(${made})` : made}`;
  }

  small() {
    return this.pick(['0', '1', '2', '3', '-1', '-2', '1.5', '100', 'n', 'nothing', 'NaN', 'Infinity']);
  }

  number(depth) {
    const leaves = ['n', 'x', 'tiny', 'huge', '0', '-0', '5', '2.675', '1.005', '255', 'Math.PI', 'Number.MAX_SAFE_INTEGER', 'order.price', ...this.given.number, ...this.given.order.map((o) => `${o}.price`)];
    if (depth <= 0) return this.pick(leaves);
    const d = depth - 1;
    return this.pick([
      () => this.pick(leaves),
      () => `Math.${this.pick(['abs', 'ceil', 'floor', 'round', 'trunc', 'sign', 'sqrt', 'fround', 'clz32'])}(${this.number(d)})`,
      () => `Math.${this.pick(['max', 'min', 'imul'])}(${this.number(d)}, ${this.number(d)})`,
      () => `Math.${this.pick(['max', 'min'])}(...${this.numbers(d)})`,
      () => `(${this.number(d)} ${this.pick(['+', '-', '*', '/', '%', '&', '>>', '>>>'])} ${this.number(d)})`,
      () => `${this.text(d)}.length`,
      () => `${this.text(d)}.${this.pick(['indexOf', 'lastIndexOf'])}(${this.text(0)})`,
      () => `${this.text(d)}.${this.pick(['charCodeAt', 'codePointAt'])}(${this.small()})`,
      () => `Number(${this.pick([() => this.text(d), () => this.bool(d), () => this.pick(['none', 'nothing', 'padded', 'hex'])])()})`,
      () => `parseInt(${this.text(d)}, ${this.pick(['10', '16', '2', '0', 'nothing'])})`,
      () => `parseFloat(${this.text(d)})`,
      () => `${this.numbers(d)}.${this.pick(['indexOf', 'lastIndexOf'])}(${this.number(0)})`,
      () => `${this.numbers(d)}.reduce((a, b) => a + b, ${this.number(0)})`,
      () => `${this.numbers(d)}.${this.pick(['findIndex', 'findLastIndex'])}(${this.arrow('number', () => this.bool(d))})`,
      () => `${this.list(d)}.length`,
      () => `${this.pick(['when.getTime()', 'stock.size', "stock.get('pen')", 'seen.size'])}`,
    ])();
  }

  text(depth) {
    const leaves = ['text', 'padded', 'hex', 'half', '""', '"pen"', '", "', '"e"', 'order.id', ...this.given.text, ...this.given.order.map((o) => `${o}.id`)];
    if (depth <= 0) return this.pick(leaves);
    const d = depth - 1;
    return this.pick([
      () => this.pick(leaves),
      () => `${this.text(d)}.${this.pick(['slice', 'substring'])}(${this.small()}, ${this.small()})`,
      () => `${this.text(d)}.${this.pick(['trim', 'trimStart', 'trimEnd', 'toUpperCase', 'toLowerCase', 'toString'])}()`,
      () => `${this.text(d)}.${this.pick(['charAt', 'at'])}(${this.small()})`,
      () => `${this.text(d)}.concat(${this.text(d)}, ${this.number(0)})`,
      () => `${this.text(d)}.${this.pick(['padStart', 'padEnd'])}(${this.pick(['0', '5', '12'])}, ${this.text(0)})`,
      () => `${this.text(0)}.repeat(${this.pick(['0', '1', '3'])})`,
      () => `${this.text(d)}.${this.pick(['replace', 'replaceAll'])}(${this.text(0)}, ${this.text(0)})`,
      () => `(${this.number(d)}).toFixed(${this.pick(['0', '1', '2', '20'])})`,
      () => `(${this.pick(['n', '255', '-7', '0'])}).toString(${this.pick(['2', '16', '36', '10'])})`,
      () => `String(${this.pick([() => this.number(d), () => this.numbers(d), () => this.texts(d), () => this.bool(d), () => this.pick(['none', 'nothing'])])()})`,
      () => `${this.list(d)}.join(${this.pick(['', '"-"', 'nothing', '""'])})`,
      () => `\`\${${this.number(d)}}: \${${this.text(d)}}\``,
      () => `JSON.stringify(${this.any(d)})`,
      () => `JSON.stringify(${this.any(d)}, null, ${this.pick(['1', '2', '"--"', '20'])})`,
      () => 'when.toISOString()',
    ])();
  }

  bool(depth) {
    if (depth <= 0) return this.pick(['yes', 'order.paid', `${this.number(0)} > 2`]);
    const d = depth - 1;
    return this.pick([
      () => `(${this.number(d)} ${this.pick(['<', '>=', '===', '!=='])} ${this.number(d)})`,
      () => `${this.text(d)}.${this.pick(['includes', 'startsWith', 'endsWith'])}(${this.text(0)})`,
      () => `${this.numbers(d)}.includes(${this.number(0)})`,
      () => `${this.texts(d)}.includes(${this.text(0)})`,
      () => `${this.numbers(d)}.${this.pick(['some', 'every'])}(${this.arrow('number', () => this.bool(d))})`,
      () => `Array.isArray(${this.any(d)})`,
      () => `Number.${this.pick(['isInteger', 'isFinite', 'isNaN', 'isSafeInteger'])}(${this.number(d)})`,
      () => `Object.is(${this.number(d)}, ${this.number(0)})`,
      () => `Object.hasOwn(order, ${this.text(0)})`,
      () => `Boolean(${this.any(d)})`,
      () => `isNaN(${this.text(d)})`,
    ])();
  }

  numbers(depth) {
    if (depth <= 0) return this.pick(['numbers', 'empty', '[1, 2, 3]']);
    const d = depth - 1;
    return this.pick([
      () => 'numbers',
      () => `[${this.number(d)}, ${this.number(d)}]`,
      () => `[...${this.numbers(d)}, ${this.number(d)}]`,
      () => `${this.numbers(d)}.map(${this.arrow('number', () => this.number(d))})`,
      () => `${this.numbers(d)}.map(${this.arrow('number', () => this.number(0), ', i')})`,
      () => `${this.numbers(d)}.filter(${this.arrow('number', () => this.bool(d))})`,
      () => `${this.numbers(d)}.slice(${this.small()}, ${this.small()})`,
      () => `${this.numbers(d)}.concat(${this.numbers(d)}, ${this.number(0)})`,
      () => `${this.numbers(d)}.toReversed()`,
      () => `${this.numbers(d)}.toSorted(${this.pick(['', '(a, b) => a - b', '(a, b) => b - a'])})`,
      () => `[...${this.numbers(d)}].sort()`,
      () => `${this.orders(d)}.map(({ price, count = 1 }) => price * count)`,
      () => `${this.numbers(d)}.flatMap(${this.arrow('number', () => `[${this.number(0)}, 1]`)})`,
      () => '[...stock].map(([name, n]) => n)',
      () => 'deep.flat(Infinity).filter((it) => Number.isInteger(it))',
    ])();
  }

  texts(depth) {
    if (depth <= 0) return this.pick(['words', 'order.tags']);
    const d = depth - 1;
    return this.pick([
      () => 'words',
      () => `${this.text(d)}.split(${this.pick([() => this.text(0), () => '""', () => 'nothing'])()})`,
      () => `${this.texts(d)}.map(${this.arrow('text', () => this.text(d))})`,
      () => `${this.texts(d)}.filter(${this.pick([() => 'Boolean', () => this.arrow('text', () => this.bool(d))])()})`,
      () => `${this.texts(d)}.toSorted()`,
      () => `Object.keys(${this.object(d)})`,
      () => `${this.orders(d)}.map(({ id }) => id)`,
      () => `${this.orders(d)}.flatMap((order) => order.tags)`,
      () => 'Array.from(stock, ([name]) => name)',
    ])();
  }

  orders(depth) {
    if (depth <= 0) return 'orders';
    const d = depth - 1;
    return this.pick([
      () => 'orders',
      () => `${this.orders(d)}.filter(${this.arrow('order', () => this.bool(d))})`,
      () => `${this.orders(d)}.slice(${this.small()})`,
    ])();
  }

  object(depth) {
    if (depth <= 0) return this.pick(['order', 'points[0]', '({ b: 1, 1: 2, a: 3 })']);
    const d = depth - 1;
    return this.pick([
      () => 'order',
      () => `({ ...order, extra: ${this.any(d)} })`,
      () => `Object.fromEntries(${this.texts(d)}.map((word, i) => [word, i]))`,
      () => `Object.fromEntries(${this.numbers(d)}.map((it) => [it, ${this.number(0)}]))`,
    ])();
  }

  list(depth) {
    return this.pick([() => this.numbers(depth), () => this.texts(depth), () => `Object.values(${this.object(depth)})`.replace(/^Object\.values\(order\)$/, 'words')])();
  }

  any(depth) {
    return this.pick([
      () => this.number(depth), () => this.text(depth), () => this.bool(depth), () => this.numbers(depth), () => this.texts(depth),
      () => this.orders(depth), () => this.object(depth), () => `Object.entries(${this.object(depth)})`, () => this.pick(['deep', 'stock', 'when', 'points', 'none', 'nothing']),
    ])();
  }
}

export function expressions(seed, count) {
  const generator = new Generator(seed);
  const depths = [1, 2, 3];
  return Array.from({ length: count }, (_, i) => generator.any(depths[i % depths.length]));
}
