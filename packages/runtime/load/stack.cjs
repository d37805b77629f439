// Stack traces as the plain run has them: no frames of ours, and the columns of the original text.
//
// V8 hands the call sites of a new stack trace to the addon, which passes them through here. The methods of call sites cannot
// be replaced, so a call site in instrumented code is replaced whole, by an object that asks the real one.
'use strict';
const { hide } = load('load/hide.cjs');
const evaluated = load('load/evaluated.cjs');

const { apply, ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

const LOADER = 'node:internal/modules/cjs/loader';

let native;
let ownFolder;

function install(context) {
  native = context.native;
  ownFolder = `${context.folder}/`;
  native.filterStacks((sites) => {
    const shown = [];
    for (let i = 0; i < sites.length; i++) {
      const name = sites[i].getFileName() ?? sites[i].getScriptNameOrSourceURL();
      if (name === LOADER) shown.push(compileFrame(sites[i]));
      else if (!isOwn(name)) shown.push(standIn(sites[i], columnsOf(sites[i], name)));
      else if (sites[i].getFunctionName() === 'runEval') shown.push(...evalFrames(sites[i]));
    }
    return shown;
  });
}

module.exports = { install };

// What a stand-in stands for: { site, columns, answers that are known beforehand }.
const stoodFor = new WeakMap();
const prototypes = new WeakMap();
const columnsByName = new Map();

function isOwn(name) {
  return typeof name === 'string' && name.startsWith(ownFolder);
}

// How to find original columns of the code that a call site is in; undefined if that code was not instrumented.
function columnsOf(site, name) {
  if (site.isEval()) return columnsOfEval(evaluated.textWithHash(site.getScriptHash()));
  return columnsOfFile(name);
}

function columnsOfFile(name) {
  if (typeof name !== 'string' || name.startsWith('node:')) return undefined;
  if (!columnsByName.has(name)) {
    // What is not instrumented now can be later.
    if (!native.isInstrumented(name)) return undefined;
    columnsByName.set(name, remembering((line, column) => native.originalColumn(name, line, column)));
  }
  return columnsByName.get(name);
}

function columnsOfEval(text) {
  if (text === undefined) return same;
  return (line, column) => {
    const shift = line === text.shiftedLine ? text.shift : 0;
    return native.originalColumnAt(text.number, line, Math.max(column - shift, 1));
  };
}

const same = (line, column) => column;

// Finding a position takes the addon a walk over the text; a program that throws in a loop asks for the same again.
function remembering(find) {
  const known = new Map();
  return (line, column) => {
    const key = line * 0x100000 + column;
    let answer = known.get(key);
    if (answer === undefined) {
      if (known.size > 4096) known.clear();
      known.set(key, (answer = find(line, column)));
    }
    return answer;
  };
}

// V8 looks for the method in `module` and finds our wrapper; the short name is one that commonjs.cjs gave it.
function compileFrame(site) {
  const name = site.getFunctionName();
  if (name !== '_compile' && name !== 'Module._compile') return site;
  return standIn(site, same, { getMethodName: '_compile', getFunctionName: name === '_compile' ? null : name });
}

// Our own frame becomes those that Node would have had in its place.
function evalFrames(site) {
  return load('load/eval-frames.cjs').framesOfEval().map((answers) => standIn(site, same, answers));
}

function standIn(site, columns, answers) {
  if (columns === undefined) return site;
  const prototype = getPrototypeOf(site);
  if (!prototypes.has(prototype)) prototypes.set(prototype, standInPrototype(prototype));
  const made = { __proto__: prototypes.get(prototype) };
  stoodFor.set(made, { site, columns, answers });
  return made;
}

function standInPrototype(prototype) {
  const { getLineNumber, getColumnNumber, getEnclosingLineNumber, getEnclosingColumnNumber, getEvalOrigin, toString } = prototype;
  const ask = (method, site) => apply(method, site, []);
  const mapped = ({ site, columns }, line, column) => columnOrNull(columns, ask(line, site), ask(column, site));
  const special = {
    getColumnNumber: (it) => mapped(it, getLineNumber, getColumnNumber),
    getEnclosingColumnNumber: (it) => mapped(it, getEnclosingLineNumber, getEnclosingColumnNumber),
    getEvalOrigin: ({ site }) => mapOrigins(ask(getEvalOrigin, site)),
    toString({ site, columns }) {
      const text = ask(toString, site);
      const line = ask(getLineNumber, site);
      const column = ask(getColumnNumber, site);
      const place = `:${line}:${column}`;
      const at = text.lastIndexOf(place);
      if (line === null || column === null || at < 0) return mapOrigins(text);
      const before = site.isEval() ? mapOrigins(text.slice(0, at)) : text.slice(0, at);
      return `${before}:${line}:${columns(line, column)}${text.slice(at + place.length)}`;
    },
  };
  const made = Object.create(getPrototypeOf(prototype));
  for (const key of ownKeys(prototype)) {
    const descriptor = getOwnPropertyDescriptor(prototype, key);
    const plain = descriptor.value;
    if (typeof plain === 'function' && key !== 'constructor') {
      const answer = special[key] ?? (({ site }, args) => apply(plain, site, args));
      const wrapper = {
        [key](...args) {
          const it = stoodFor.get(this);
          if (it === undefined) return apply(plain, this, args);
          return it.answers !== undefined && Object.hasOwn(it.answers, key) ? it.answers[key] : answer(it, args);
        },
      }[key];
      descriptor.value = hide(wrapper, plain);
    }
    Object.defineProperty(made, key, { __proto__: null, ...descriptor });
  }
  return made;
}

function columnOrNull(columns, line, column) {
  return column === null ? column : columns(line, column);
}

// Where evaluated code was evaluated: `eval at f (file:line:column)`, perhaps nested.
function mapOrigins(text) {
  if (typeof text !== 'string') return text;
  return text.replace(/\(([^()]+):(\d+):(\d+)\)/g, (all, name, line, column) => {
    const columns = columnsOfFile(name);
    return columns === undefined ? all : `(${name}:${line}:${columns(Number(line), Number(column))})`;
  });
}
