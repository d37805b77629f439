// What a program holds at a probe, one fact a line, words apart by spaces, texts percent-encoded:
//   probe NUMBER                  frame FUNCTION LINE (innermost first)           variable NAME VALUE
//   object ID CLASS PROTOTYPE     property KEY VALUE (of the object before it)    entry KEY VALUE (of a Map or Set)
//   length N
// Values: undefined, null, true, false, n<number>, s<text>, b<digits>, y<description>, o<object>, accessor.
const fs = require('node:fs');
const ids = new Map();
const out = [];
const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

module.exports = function probe(number, names, ...values) {
  out.push(`probe ${number}`);
  for (const frame of stack(probe)) out.push(`frame ${frame}`);
  const seen = new Set();
  let pending = [];
  names.split(' ').forEach((name, i) => { if (name) out.push(`variable ${name} ${text(values[i], pending)}`); });
  for (let depth = 0; depth < 4; depth++) {
    const now = pending;
    pending = [];
    for (const object of now) {
      if (seen.has(object)) continue;
      seen.add(object);
      describe(object, pending);
    }
  }
};

function describe(object, pending) {
  const kind = Array.isArray(object) ? 'array' : object instanceof Map ? 'map' : object instanceof Set ? 'set' : typeof object === 'function' ? 'function' : object instanceof Error ? 'error' : object instanceof Promise ? 'promise' : 'plain';
  const prototype = getPrototypeOf(object);
  out.push(`object ${id(object)} ${kind} ${prototype === null ? 'null' : id(prototype)}`);
  if (kind === 'function' || kind === 'promise') return;
  if (kind === 'array') out.push(`length ${object.length}`);
  for (const key of ownKeys(object)) {
    if (kind === 'array' && key === 'length') continue;
    const d = getOwnPropertyDescriptor(object, key);
    const value = key === 'stack' ? 'unknown' : 'value' in d ? text(d.value, pending) : 'accessor';
    out.push(`property ${typeof key === 'symbol' ? `y${encode(key.description)}` : `s${encode(key)}`} ${value}`);
  }
  if (kind === 'map') for (const [k, v] of object) out.push(`entry ${text(k, pending)} ${text(v, pending)}`);
  if (kind === 'set') for (const v of object) out.push(`entry ${text(v, pending)} true`);
}

function text(value, pending) {
  switch (typeof value) {
    case 'number': return `n${Object.is(value, -0) ? '-0' : value}`;
    case 'string': return `s${encode(value)}`;
    case 'bigint': return `b${value}`;
    case 'symbol': return `y${encode(value.description ?? '')}`;
    case 'object': case 'function':
      if (value === null) return 'null';
      pending.push(value);
      return `o${id(value)}`;
    default: return String(value);
  }
}

function id(object) {
  if (!ids.has(object)) ids.set(object, ids.size + 1);
  return ids.get(object);
}

// The functions that are running, innermost first, with the line each is at; not those that wait for them.
function stack(below) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = Infinity;
  Error.prepareStackTrace = (_, frames) => frames;
  const holder = {};
  Error.captureStackTrace(holder, below);
  const frames = holder.stack;
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return frames.filter((f) => !f.isAsync() && f.getFileName()?.endsWith('programs.cjs')).map((f) => `s${encode(f.getFunctionName() ?? '')} ${f.getLineNumber()}`);
}

function encode(text) { return encodeURIComponent(text); }

process.on('exit', () => fs.writeFileSync(process.env.ORACLE_DUMP, `${out.join('\n')}\n`));
