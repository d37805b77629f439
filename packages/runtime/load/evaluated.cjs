// Code that the program makes from text in the language itself: direct eval, `new Function` and its relatives.
'use strict';
const { EVAL, SCRIPT } = load('contract.generated.cjs').KIND;
const { isUnnamed } = load('load/sandbox.cjs');
const { COMPILED } = load('load/loads.cjs');
const { hide, stealthyBound } = load('load/hide.cjs');
const { SafeMap, SafeWeakSet, append, exec, indexOf, join, lastIndexOf, map, matches, slice, sliceArray, split } = load('load/primordials.cjs');

const { construct, defineProperty, deleteProperty, getOwnPropertyDescriptor, isExtensible, setPrototypeOf } = Reflect;
const evals = new SafeWeakSet();

const HEADS = {
  Function: '(function anonymous(',
  generator: '(function* anonymous(',
  async: '(async function anonymous(',
  asyncGenerator: '(async function* anonymous(',
};
const NAMES = Object.keys(HEADS);

function directEval({ native }, evalValue, text) {
  if (typeof text !== 'string' || typeof evalValue !== 'function' || !evals.has(evalValue)) return text;
  const changed = native.instrument(text, 'eval', EVAL);
  if (changed === undefined) return text;
  remember({ source: changed, hash: undefined, number: anyNumber(changed), shiftedLine: 0, shift: 0 });
  return changed;
}

// V8 does not name evaluated code, but knows the hash of its source. The latest sources are kept for that.
const MOST_KEPT = 256;
let kept = [];
let byHash = new SafeMap();

function remember(text) {
  append(kept, text);
  if (kept.length > MOST_KEPT) {
    kept = sliceArray(kept, -MOST_KEPT / 2);
    byHash = new SafeMap();
  }
}

function textWithHash(native, hash) {
  if (!byHash.has(hash)) {
    for (let i = 0; i < kept.length; i++) byHash.set((kept[i].hash ??= native.scriptHash(kept[i].source)), kept[i]);
  }
  return byHash.get(hash);
}

// Any site number in the text tells whose text it is.
function anyNumber(text) {
  return parseInt(exec(/\(0x([0-9a-f]{7})0/, text)?.[1] ?? '0', 16);
}

function installRealm(context, realm, sandbox) {
  if (realm.eval !== undefined) evals.add(realm.eval);
  // The others inherit from it.
  let base;
  for (let i = 0; i < NAMES.length; i++) {
    const name = NAMES[i];
    if (typeof realm[name] !== 'function') continue;
    if (name === 'Function' && !canReplace(realm, sandbox)) continue;
    const wrapper = wrapConstructor(context, realm[name], HEADS[name]);
    if (name === 'Function') replaceFunction(realm.global, sandbox, (base = wrapper));
    else if (base !== undefined) setPrototypeOf(wrapper, base);
  }
}

// The global object of a vm context passes on to an object of the program what is defined of it, and keeps it too.
function replaceFunction(global, sandbox, wrapper) {
  defineProperty(global, 'Function', { __proto__: null, value: wrapper, writable: true, enumerable: false, configurable: true });
  if (sandbox !== undefined) deleteProperty(sandbox, 'Function');
}

// Where that object would notice, or where the name means something else already, the constructor stays as it is: what it makes is not captured.
function canReplace(realm, sandbox) {
  if (!isUnnamed(sandbox, 'Function') || (sandbox !== undefined && !isExtensible(sandbox))) return false;
  const { value, writable, enumerable, configurable } = getOwnPropertyDescriptor(realm.global, 'Function') ?? {};
  return value === realm.Function && writable && !enumerable && configurable;
}

module.exports = { directEval, installRealm, textWithHash };

function wrapConstructor(context, original, head) {
  let shown;
  const wrapper = stealthyBound(original, {
    before(...args) {
      const texts = map(args, (arg) => (typeof arg === 'string' ? arg : `${arg}`));
      // Such a text may be the end of one function and the start of another: the engine refuses that, in its own words.
      if (texts.length > 0 && matches(/\}\s*\)/, texts[texts.length - 1])) construct(original, texts);
      const changed = instrumented(context, head, texts);
      shown = changed?.shown;
      return changed?.texts ?? texts;
    },
    after(made) {
      if (shown !== undefined) hide(made, shown);
    },
  });
  // Where intrinsics are frozen this has no effect: what they make is then not captured.
  defineProperty(original.prototype, 'constructor', { __proto__: null, value: wrapper });
  return wrapper;
}

// The engine itself puts parameters and body together again, so both are cut out of the instrumented whole. Lines do not move,
// which tells where the parameters end and where the body starts.
function instrumented({ native }, head, texts) {
  const body = texts.length === 0 ? '' : texts[texts.length - 1];
  const parameters = join(sliceArray(texts, 0, -1), ',');
  const shown = `${slice(head, 1)}${parameters}\n) {\n${body}\n}`;
  // The last parenthesis is on a line of its own, so that what is put behind the whole does not stand behind the brace.
  const whole = `(${shown}\n)`;
  const text = native.instrument(whole, 'new Function', SCRIPT, undefined, COMPILED);
  if (text === undefined) return undefined;
  const lines = split(text, '\n');
  const start = indexOf(lines[0], slice(head, 1));
  const bodyLine = countLines(parameters);
  const opening = lines[bodyLine];
  const closing = lines[lines.length - 2];
  const brace = opening === undefined ? -1 : indexOf(opening, '{');
  const end = lastIndexOf(closing, '}');
  if (start < 0 || brace < 0 || end < 0 || bodyLine + 2 > lines.length - 2) return undefined;
  const newParameters = slice(join(sliceArray(lines, 0, bodyLine), '\n'), start + head.length - 1);
  const inside = join(sliceArray(lines, bodyLine + 1, -2), '\n');
  const before = slice(opening, brace + 1);
  const after = slice(closing, 0, end);
  const newBody = before + inside + (after === '' ? '' : `\n${after}`);
  const source = `${head}${newParameters}\n) {\n${newBody}\n})`;
  remember({ source, hash: undefined, number: anyNumber(text), shiftedLine: bodyLine + 2, shift: before.length });
  return { texts: [newParameters, newBody], shown };
}

function countLines(text) {
  return split(text, '\n').length;
}
