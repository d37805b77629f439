// A realm is one set of built-ins: the main one, or a vm context. Each gets the helpers as constants of its script scope,
// the wrapped built-ins, and the functions below that would otherwise show instrumented text.
'use strict';
const vm = require('vm');
const { hide, disguise, original } = load('load/hide.cjs');
const evaluated = load('load/evaluated.cjs');
const { SafeWeakSet, exec, includes } = load('load/primordials.cjs');

const { apply, defineProperty, deleteProperty } = Reflect;

const MARK = /\/\*@w([0-9a-f]{8})\*\//g;
const GATE = '$w_gate';

let context;
let prelude;
let helpers;
const prepared = new SafeWeakSet();

function install(theContext) {
  context = theContext;
  helpers = { ...recorderHelpers(), ...load('load/decorators.cjs'), main: load('load/commonjs.cjs').runEval };
  const names = Object.keys(helpers);
  prelude = new vm.Script(
    `const ${names.map((name) => `$w_${name}=${GATE}.${name}`).join(',')};`,
    { filename: `${context.folder}/helpers` },
  );
  prepare(globalThis, (script) => script.runInThisContext());
}

// Before the first instrumented code runs in a vm context.
function ensure(contextified) {
  if (prepared.has(contextified)) return;
  prepared.add(contextified);
  const run = (script) => apply(runInContext, script, [contextified]);
  let realmGlobal;
  try {
    realmGlobal = run(globalOf);
  } catch {
    return;
  }
  prepare(realmGlobal, run);
}

module.exports = { install, ensure };

function recorderHelpers() {
  const wish = context.native.stopWish();
  return wish === undefined ? context.recorder.helpers : load('load/stop.cjs').wrap(context, wish);
}

const { runInContext } = vm.Script.prototype;
const globalOf = new vm.Script('globalThis');
const parts = new vm.Script(
  '({Function,eval,generator:(function*(){}).constructor,async:(async function(){}).constructor,' +
    'asyncGenerator:(async function*(){}).constructor})',
);

function prepare(realmGlobal, run) {
  // A property for a moment: scripts have no other way to be handed something.
  defineProperty(realmGlobal, GATE, { __proto__: null, value: helpers, configurable: true, enumerable: false });
  try {
    run(prelude);
  } finally {
    deleteProperty(realmGlobal, GATE);
  }
  const realm = run(parts);
  showOriginalText(realm.Function.prototype);
  evaluated.installRealm(context, realm, realmGlobal);
  run(context.scripts.builtins)(realmGlobal, context.recorder, hide);
}

function showOriginalText(prototype) {
  const plain = prototype.toString;
  const { native } = context;
  const wrapper = {
    toString() {
      const known = typeof this === 'function' ? original(this) : undefined;
      if (typeof known === 'string') return known;
      const text = apply(plain, known ?? this, arguments);
      return includes(text, '/*@w') ? originalText(native, text) : text;
    },
  }.toString;
  disguise(wrapper, plain);
  // Frozen intrinsics stay as they are.
  defineProperty(prototype, 'toString', { __proto__: null, value: wrapper });
}

// The mark of the function itself is one of those in its text; the length tells which.
function originalText(native, text) {
  MARK.lastIndex = 0;
  for (let match = exec(MARK, text); match !== null; match = exec(MARK, text)) {
    const found = native.originalText(parseInt(match[1], 16), text.length);
    if (found !== undefined) return found;
  }
  return text;
}
