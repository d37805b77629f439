// Code that the program makes from text in the language itself: direct eval, `new Function` and its relatives.
'use strict';
const { EVAL, SCRIPT } = load('load/kinds.cjs');
const { hide, stealthyBound } = load('load/hide.cjs');

const evals = new WeakSet();

const HEADS = {
  Function: '(function anonymous(',
  generator: '(function* anonymous(',
  async: '(async function anonymous(',
  asyncGenerator: '(async function* anonymous(',
};

function directEval({ native }, evalValue, text) {
  if (typeof text !== 'string' || typeof evalValue !== 'function' || !evals.has(evalValue)) return text;
  const changed = native.instrument(text, 'eval', EVAL);
  if (changed === undefined) return text;
  remember({ source: changed, number: anyNumber(changed), shiftedLine: 0, shift: 0 });
  return changed;
}

// V8 does not name evaluated code, but knows the hash of its source. The latest sources are kept for that.
const MOST_KEPT = 256;
const kept = [];
let byHash = new Map();

function remember(text) {
  kept.push(text);
  if (kept.length > MOST_KEPT) {
    kept.splice(0, kept.length - MOST_KEPT / 2);
    byHash = new Map();
  }
}

function textWithHash(hash) {
  if (!byHash.has(hash) && kept.length > 0) {
    const { createHash } = require('crypto');
    for (const text of kept) byHash.set((text.hash ??= createHash('sha256').update(text.source).digest('hex')), text);
  }
  return byHash.get(hash);
}

// Any site number in the text tells whose text it is.
function anyNumber(text) {
  return parseInt(/\(0x([0-9a-f]{7})0/.exec(text)?.[1] ?? '0', 16);
}

function installRealm(context, realm, realmGlobal) {
  evals.add(realm.eval);
  for (const [name, head] of Object.entries(HEADS)) {
    const wrapper = wrapConstructor(context, realm[name], head);
    if (name === 'Function') Reflect.defineProperty(realmGlobal, 'Function', { __proto__: null, value: wrapper });
  }
}

module.exports = { directEval, installRealm, textWithHash };

function wrapConstructor(context, original, head) {
  let shown;
  const wrapper = stealthyBound(original, {
    before(...args) {
      const texts = args.map((arg) => (typeof arg === 'string' ? arg : `${arg}`));
      const changed = instrumented(context, head, texts);
      shown = changed?.shown;
      return changed?.texts ?? texts;
    },
    after(made) {
      if (shown !== undefined) hide(made, shown);
    },
  });
  // Where intrinsics are frozen this has no effect: what they make is then not captured.
  Reflect.defineProperty(original.prototype, 'constructor', { __proto__: null, value: wrapper });
  return wrapper;
}

// The engine itself puts parameters and body together again, so both are cut out of the instrumented whole. Lines do not move,
// which tells where the parameters end and where the body starts.
function instrumented({ native }, head, texts) {
  const body = texts.length === 0 ? '' : texts[texts.length - 1];
  const parameters = texts.slice(0, -1).join(',');
  const shown = `${head.slice(1)}${parameters}\n) {\n${body}\n}`;
  // The last parenthesis is on a line of its own, so that what is put behind the whole does not stand behind the brace.
  const whole = `(${shown}\n)`;
  const text = native.instrument(whole, 'new Function', SCRIPT);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  const start = lines[0].indexOf(head.slice(1));
  const bodyLine = countLines(parameters);
  const opening = lines[bodyLine];
  const closing = lines[lines.length - 2];
  const brace = opening?.indexOf('{');
  const end = closing.lastIndexOf('}');
  if (start < 0 || brace < 0 || end < 0 || bodyLine + 2 > lines.length - 2) return undefined;
  const newParameters = lines.slice(0, bodyLine).join('\n').slice(start + head.length - 1);
  const inside = lines.slice(bodyLine + 1, -2).join('\n');
  const before = opening.slice(brace + 1);
  const after = closing.slice(0, end);
  const newBody = before + inside + (after === '' ? '' : `\n${after}`);
  const source = `${head}${newParameters}\n) {\n${newBody}\n})`;
  remember({ source, number: anyNumber(text), shiftedLine: bodyLine + 2, shift: before.length });
  return { texts: [newParameters, newBody], shown };
}

function countLines(text) {
  return text.split('\n').length;
}
