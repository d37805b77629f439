// What a generated program says about itself while it runs, to be compared with the trace. Every entry is one event that the
// recorder must have, in this order: [kind, name or line, value, depth]. Not recorded itself.
const entries = [];
const objects = new Map();
let depth = 1;
let fuel = 300;

const text = (v) => {
  switch (typeof v) {
    case 'string': return { type: 'string', text: v };
    case 'bigint': return { type: 'bigint', text: `${v}n` };
    case 'number': return { type: 'number', text: Object.is(v, -0) ? '-0' : String(v) };
    case 'boolean': case 'undefined': return { type: typeof v, text: String(v) };
    case 'symbol': return { type: 'symbol', text: `Symbol(${v.description ?? ''})` };
    default:
      if (v === null) return { type: 'null', text: 'null' };
      if (!objects.has(v)) objects.set(v, objects.size + 1);
      return { type: 'object', object: objects.get(v) };
  }
};
const note = (kind, name, value, at) => { entries.push([kind, name, text(value), at]); return value; };

module.exports = {
  write: (name, v) => note('Var', name, v),
  param: (name, v) => note('Param', name, v),
  increment: (name, old) => note('VarIncrement', name, old),
  put: (key, o, v) => { note('Put', key, v); entries.at(-1).push(text(o).object); },
  putComputed: (key, o, v) => { note('PutComputed', key, v); entries.at(-1).push(text(o).object); },
  branch: (line, v) => { note('Branch', line, !!v); return v; },
  loop: (line, v) => { note('Loop', line, !!v); return v; },
  nullish: (line, v) => { note('Nullish', line, v != null); return v; },
  reached: (line) => note('Case', line, undefined),
  thrown: (v) => note('Throw', 0, v),
  // Frames: each gives its own depth back, so that the depth is known again behind an exception.
  enter: (name, parameter, v) => {
    note('Enter', name, undefined, ++depth);
    const mine = depth;
    if (parameter) note('Param', parameter, v);
    return mine;
  },
  leave: (d, v) => { note('Return', 0, v); depth = d - 1; return v; },
  caught: (d, v) => { depth = d; note('Catch', 0, v, d); },
  suspend: (d, v) => { depth = d - 1; return v; },
  resume: () => ++depth,
  resumeTask: () => (depth = 1),
  // Keeps recursion and the number of calls small; a branch of the program like any other.
  exhausted: (line) => module.exports.branch(line, depth > 40 || fuel-- <= 0),
  endOfMain: () => { depth = 0; },
};
process.on('exit', () => { require('node:fs').writeFileSync(process.env.GENERATED_LOG, JSON.stringify(entries)); });
