// node:vm: scripts, functions and modules that the program compiles itself, and the contexts it runs them in.
'use strict';
const vm = require('vm');
const Module = require('module');
const { hide, intercept } = load('load/hide.cjs');
const loads = load('load/loads.cjs');
const { SCRIPT, MODULE, FUNCTION_BODY } = load('contract.generated.cjs').KIND;
const realm = load('load/realm.cjs');
const { indexOf, slice } = load('load/primordials.cjs');

const { apply } = Reflect;
const { isContext } = vm;
const { toString } = Function.prototype;

const DEFAULT_NAME = 'evalmachine.<anonymous>';

let native;

function install(context) {
  native = context.native;
  wrapScripts();
  for (const name of ['runInContext', 'runInNewContext', 'runInThisContext']) {
    const optionsAt = name === 'runInThisContext' ? 1 : 2;
    intercept(vm, name, {
      before(...args) {
        if (args.length === 0 || typeof args[0] === 'symbol') return undefined;
        if (name === 'runInContext') ensureRealm(args[1]);
        // Node makes a text of whatever it is given: a Buffer, mostly.
        const code = `${args[0]}`;
        args[0] = instrument(code, args[optionsAt], DEFAULT_NAME, SCRIPT) ?? code;
        return args;
      },
    });
  }
  wrapCompileFunction();
  if (vm.SourceTextModule !== undefined) wrapModules();
  Module.syncBuiltinESMExports();
}

module.exports = { install };

function wrapScripts() {
  // vm.runInNewContext and Script.prototype.runInNewContext both come to runInContext with the context they made.
  intercept(vm.Script.prototype, 'runInContext', { before: (contextified) => void ensureRealm(contextified) });
  let hadCache = false;
  intercept(vm, 'Script', {
    before(...args) {
      hadCache = false;
      if (args.length === 0) return undefined;
      const code = `${args[0]}`;
      const changed = instrument(code, args[1], DEFAULT_NAME, SCRIPT);
      args[0] = changed ?? code;
      if (changed !== undefined && args[1]?.cachedData !== undefined) {
        hadCache = true;
        args[1] = { ...args[1], cachedData: undefined };
      }
      return args;
    },
    after(script) {
      // The cache was made for another text. As far as the program can tell it was taken.
      if (hadCache) script.cachedDataRejected = false;
    },
  });
}

function wrapCompileFunction() {
  let code;
  let changed;
  intercept(vm, 'compileFunction', {
    before(...args) {
      changed = undefined;
      code = args[0];
      if (typeof code !== 'string') return undefined;
      ensureRealm(args[2]?.parsingContext);
      changed = instrument(code, args[2], '', FUNCTION_BODY);
      args[0] = changed ?? code;
      return args;
    },
    after(made) {
      if (changed === undefined) return;
      // The body has no brace of its own that could carry a mark.
      const text = apply(toString, made, []);
      const at = indexOf(text, changed);
      if (at >= 0) hide(made, slice(text, 0, at) + code + slice(text, at + changed.length));
    },
  });
}

function wrapModules() {
  intercept(vm, 'SourceTextModule', {
    before(...args) {
      const code = args[0];
      const options = args[1];
      if (typeof code !== 'string') return undefined;
      ensureRealm(options?.context);
      args[0] = native.instrument(code, options?.identifier ?? 'vm:module', MODULE, undefined, loads.COMPILED) ?? code;
      return args;
    },
  });
}

function ensureRealm(contextified) {
  if (typeof contextified === 'object' && contextified !== null && isContext(contextified)) realm.ensure(contextified);
}

// Options are those of node:vm, or the name alone.
function instrument(code, options, defaultName, kind) {
  const given = typeof options === 'string' ? options : options?.filename;
  const name = typeof given === 'string' ? given : defaultName;
  const changed = native.instrument(code, name, kind, undefined, loads.compiledByVm(name));
  if (changed !== undefined) native.setStart(name, numberIn(options?.lineOffset), numberIn(options?.columnOffset));
  return changed;
}

const numberIn = (offset) => (typeof offset === 'number' ? offset : 0);
