// Stack traces as the plain run has them: no frames of ours, and the columns of the original text.
//
// V8 hands the call sites of a new stack trace to the addon, which passes them through here. The methods of call sites cannot
// be replaced, so a call site in instrumented code is replaced whole, by an object that asks the real one.
'use strict';
const { hide } = load('load/hide.cjs');
const { framesOfEval } = load('load/eval-frames.cjs');
const { namesOfSites } = load('load/stack-names.cjs');
const evaluated = load('load/evaluated.cjs');
const { SafeMap, SafeWeakMap, append, hasOwn, lastIndexOf, replaceAll, slice, startsWith } = load('load/primordials.cjs');

const { apply, defineProperty, ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

const LOADER = 'node:internal/modules/cjs/loader';

let native;
let ownFolder;

function install(context) {
  native = context.native;
  ownFolder = `${context.folder}/`;
  const { recorder } = context;
  native.filterStacks((sites, error) => {
    recorder.seen(error);
    const shown = [];
    for (let i = 0; i < sites.length; i++) {
      const name = sites[i].getFileName() ?? sites[i].getScriptNameOrSourceURL();
      if (name === LOADER) append(shown, loaderFrame(sites[i]));
      else if (!isOwn(name)) append(shown, standIn(sites[i], placesOf(sites[i], name)));
      else if (sites[i].getFunctionName() === 'runEval') appendEvalFrames(shown, sites[i]);
    }
    // One of ours may stand for two of Node's.
    const limit = getOwnPropertyDescriptor(Error, 'stackTraceLimit')?.value;
    if (shown.length > sites.length && shown.length > limit) shown.length = sites.length;
    return shown;
  });
}

module.exports = { install };

// What a stand-in stands for: { site, places, answers that are known beforehand }.
const stoodFor = new SafeWeakMap();
const prototypes = new SafeWeakMap();
const placesByName = new SafeMap();

// The second name is that of functions which the recorder makes of text.
function isOwn(name) {
  return typeof name === 'string' && (startsWith(name, ownFolder) || name === 'wherefore:made');
}

// How to find places in the original of the code that a call site is in; undefined if that code was not instrumented.
//   column(line, column)   in the original
//   offset(line, column)   of that original column; undefined if it is not known
//   renamed(line, column)  the names of a function that begins there (stack-names.cjs)
function placesOf(site, name) {
  if (site.isEval()) return placesOfEval(evaluated.textWithHash(native, site.getScriptHash()));
  return placesOfFile(name);
}

function placesOfFile(name) {
  if (typeof name !== 'string' || startsWith(name, 'node:')) return undefined;
  if (!placesByName.has(name)) {
    // What is not instrumented now can be later.
    if (!native.isInstrumented(name)) return undefined;
    placesByName.set(name, {
      column: remembering((line, column) => native.originalColumn(name, line, column)),
      offset: (line, column) => native.originalOffset(name, line, column),
      renamed: remembering((line, column) => native.renamed(name, line, column)),
    });
  }
  return placesByName.get(name);
}

function placesOfEval(text) {
  if (text === undefined) return same;
  const unshifted = (line, column) => {
    const shift = line === text.shiftedLine ? text.shift : 0;
    return column > shift ? column - shift : 1;
  };
  return {
    column: (line, column) => native.originalColumnAt(text.number, line, unshifted(line, column)),
    offset: (line, column) => native.originalOffsetAt(text.number, line, column),
    renamed: (line, column) => native.renamedAt(text.number, line, unshifted(line, column)),
  };
}

const same = { column: (line, column) => column, offset() {}, renamed() {} };

// Finding a position takes the addon a walk over the text; a program that throws in a loop asks for the same again.
function remembering(find) {
  const known = new SafeMap();
  return (line, column) => {
    const key = line * 0x100000 + column;
    if (!known.has(key)) {
      if (known.size > 4096) known.clear();
      known.set(key, find(line, column));
    }
    return known.get(key);
  };
}

// V8 looks for a method in its object and finds our wrapper; the short names are those that commonjs.cjs gave them.
function loaderFrame(site) {
  const name = site.getFunctionName();
  if (name === '_load' || name === 'Module._load') return loadFrame(site, name === '_load');
  if (name !== '_compile' && name !== 'Module._compile') return site;
  return standIn(site, same, { getMethodName: '_compile', getFunctionName: name === '_compile' ? null : name });
}

// Without its name V8 knows this function only as a method, and where it has no receiver by its place.
function loadFrame(site, isNamedByUs) {
  const answers = { __proto__: null, getMethodName: '_load' };
  if (isNamedByUs) {
    answers.getFunctionName = null;
    if (site.isToplevel()) answers.toString = `${site.getFileName()}:${site.getLineNumber()}:${site.getColumnNumber()}`;
  }
  return standIn(site, same, answers);
}

// Our own frame becomes those that Node would have had in its place.
function appendEvalFrames(shown, site) {
  const frames = framesOfEval();
  for (let i = 0; i < frames.length; i++) append(shown, standIn(site, same, frames[i]));
}

function standIn(site, places, answers) {
  if (places === undefined) return site;
  const prototype = getPrototypeOf(site);
  if (!prototypes.has(prototype)) prototypes.set(prototype, standInPrototype(prototype));
  const made = { __proto__: prototypes.get(prototype) };
  stoodFor.set(made, { site, places, answers });
  return made;
}

function standInPrototype(prototype) {
  const { getLineNumber, getColumnNumber, getPosition, getEnclosingLineNumber, getEnclosingColumnNumber, getEvalOrigin, toString } = prototype;
  const ask = (method, site) => apply(method, site, []);
  const names = namesOfSites(prototype);
  const mapped = ({ site, places }, line, column) => columnOrNull(places, ask(line, site), ask(column, site));
  const special = {
    __proto__: null,
    getFunctionName: ({ site, places }) => names.functionName(site, places.renamed),
    getColumnNumber: (it) => mapped(it, getLineNumber, getColumnNumber),
    getEnclosingColumnNumber: (it) => mapped(it, getEnclosingLineNumber, getEnclosingColumnNumber),
    getPosition({ site, places }) {
      const line = ask(getLineNumber, site);
      const column = columnOrNull(places, line, ask(getColumnNumber, site));
      return (column === null ? undefined : places.offset(line, column)) ?? ask(getPosition, site);
    },
    getEvalOrigin: ({ site }) => mapOrigins(ask(getEvalOrigin, site)),
    toString({ site, places }) {
      const text = names.rename(ask(toString, site), site, places.renamed);
      const line = ask(getLineNumber, site);
      const column = ask(getColumnNumber, site);
      const place = `:${line}:${column}`;
      const at = lastIndexOf(text, place);
      if (line === null || column === null || at < 0) return mapOrigins(text);
      const before = site.isEval() ? mapOrigins(slice(text, 0, at)) : slice(text, 0, at);
      return `${before}:${line}:${places.column(line, column)}${slice(text, at + place.length)}`;
    },
  };
  const made = { __proto__: getPrototypeOf(prototype) };
  const keys = ownKeys(prototype);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    const descriptor = getOwnPropertyDescriptor(prototype, key);
    const plain = descriptor.value;
    if (typeof plain === 'function' && key !== 'constructor') {
      const answer = special[key] ?? (({ site }, args) => apply(plain, site, args));
      const wrapper = {
        [key](...args) {
          const it = stoodFor.get(this);
          if (it === undefined) return apply(plain, this, args);
          return it.answers !== undefined && hasOwn(it.answers, key) ? it.answers[key] : answer(it, args);
        },
      }[key];
      descriptor.value = hide(wrapper, plain);
    }
    defineProperty(made, key, { __proto__: null, ...descriptor });
  }
  return made;
}

function columnOrNull(places, line, column) {
  return column === null ? column : places.column(line, column);
}

// Where evaluated code was evaluated: `eval at f (file:line:column)`, perhaps nested.
function mapOrigins(text) {
  if (typeof text !== 'string') return text;
  return replaceAll(text, /\(([^()]+):(\d+):(\d+)\)/g, (match) => {
    const places = placesOfFile(match[1]);
    return places === undefined ? match[0] : `(${match[1]}:${match[2]}:${places.column(+match[2], +match[3])})`;
  });
}
