// A realm is one set of built-ins: the main one, or a vm context. Each gets the helpers as constants of its script scope,
// the wrapped built-ins, and the functions below that would otherwise show instrumented text.
'use strict';
const vm = require('vm');
const { hide, disguise, original } = load('load/hide.cjs');
const evaluated = load('load/evaluated.cjs');
const { marks } = load('load/marks.cjs');
const { isUnnamed } = load('load/sandbox.cjs');
const { SafeWeakSet, exec, includes } = load('load/primordials.cjs');

const { HELPER, MARK_OPENING, PREFIX } = load('contract.generated.cjs');
const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;

const MARK = marks('g');

let context;
let prelude;
let helpers;
const prepared = new SafeWeakSet();

function install(theContext) {
  context = theContext;
  helpers = { ...recorderHelpers(), ...load('load/decorators.cjs'), [HELPER.MAIN]: load('load/commonjs.cjs').runEval };
  const names = Object.keys(helpers);
  prelude = new vm.Script(
    `const ${names.map((name) => `${PREFIX}${name}=${GATE}.${name}`).join(',')};`,
    { filename: `${context.folder}/helpers` },
  );
  prepare((script) => script.runInThisContext());
}

// Before the first instrumented code runs in a vm context.
function ensure(contextified) {
  if (prepared.has(contextified)) return;
  prepared.add(contextified);
  prepare((script) => apply(runInContext, script, [contextified]), contextified);
}

module.exports = { install, ensure };

function recorderHelpers() {
  const wish = context.native.stopWish();
  const recording = wish === undefined ? context.recorder.helpers : load('load/stop.cjs').wrap(context, wish);
  const change = context.native.intervention();
  return change === undefined ? recording : { ...recording, [HELPER.EXPERIMENT]: load('load/intervene.cjs').create(change[0], change[1]) };
}

const GATE = `${PREFIX}${HELPER.GATE}`;
const { runInContext } = vm.Script.prototype;
// Coverage would show it.
const own = { filename: 'wherefore:realm' };
const gate = new vm.Script(`let ${GATE};(helpers)=>{${GATE}=helpers}`, own);
const literals = new vm.Script('({global:this,plain:function(){},generator:function*(){},async:async function(){},asyncGenerator:async function*(){}})', own);
const KINDS = ['generator', 'async', 'asyncGenerator'];
const NAMED = ['eval', 'Reflect'];
const named = { eval: new vm.Script('eval', own), Reflect: new vm.Script('Reflect', own) };
const MADE = ['Object', 'Array', 'Map', 'Set', 'WeakMap', 'WeakSet', 'Int8Array', 'Date'];
const makers = MADE.map((name) => globalThis[name]);

// Nothing is asked of the global object of a vm context: it asks the object of the program behind it. Where declaring a name would ask it,
// the addon prevents that.
function prepare(run, sandbox) {
  context.native.closeContexts(true);
  try {
    fill(run, sandbox);
  } finally {
    context.native.closeContexts(false);
  }
}

function fill(run, sandbox) {
  const open = run(gate);
  open(helpers);
  try {
    run(prelude);
  } finally {
    open(undefined);
  }
  const literal = run(literals);
  const realm = partsOf(run, literal, sandbox);
  showOriginalText(getPrototypeOf(literal.plain));
  evaluated.installRealm(context, realm, sandbox === literal.global ? undefined : sandbox);
  if (sandbox !== undefined) context.recorder.knowRealm(literal);
  run(context.scripts.builtins)(realm, context.recorder, hide);
}

// The built-ins themselves, whatever the names of the realm mean.
function partsOf(run, literal, sandbox) {
  const realm = { __proto__: null, global: literal.global, tools: Reflect };
  // What is made for a function without a prototype gets that of the function's realm.
  literal.plain.prototype = undefined;
  for (let i = 0; i < MADE.length; i++) realm[MADE[i]] = constructorOf(construct(makers[i], [], literal.plain));
  realm.Function = constructorOf(literal.plain);
  for (let i = 0; i < KINDS.length; i++) realm[KINDS[i]] = constructorOf(literal[KINDS[i]]);
  for (let i = 0; i < NAMED.length; i++) if (isUnnamed(sandbox, NAMED[i])) realm[NAMED[i]] = run(named[NAMED[i]]);
  return realm;
}

function constructorOf(made) {
  return getOwnPropertyDescriptor(getPrototypeOf(made), 'constructor')?.value;
}

function showOriginalText(prototype) {
  const plain = prototype.toString;
  const { native } = context;
  const wrapper = {
    toString() {
      const known = typeof this === 'function' ? original(this) : undefined;
      if (typeof known === 'string') return known;
      const text = apply(plain, known ?? this, arguments);
      return includes(text, MARK_OPENING) ? originalText(native, text) : text;
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
