// node:vm: scripts, functions and modules that the program compiles itself, and the contexts it runs them in.
'use strict';
const vm = require('vm');
const Module = require('module');
const { types } = require('util');
const { intercept, interceptClass } = load('load/hide.cjs');
const { SCRIPT, MODULE, FUNCTION_BODY } = load('load/kinds.cjs');
const realm = load('load/realm.cjs');

const DEFAULT_NAME = 'evalmachine.<anonymous>';

let native;

function install(context) {
  native = context.native;
  wrapScripts();
  for (const name of ['runInContext', 'runInNewContext', 'runInThisContext']) {
    const optionsAt = name === 'runInThisContext' ? 1 : 2;
    intercept(vm, name, {
      before(...args) {
        if (typeof args[0] !== 'string') return undefined;
        if (name === 'runInContext') ensureRealm(args[1]);
        args[0] = native.instrument(args[0], nameIn(args[optionsAt]), SCRIPT) ?? args[0];
        return args;
      },
      failed: mend,
    });
  }
  intercept(vm, 'compileFunction', {
    before(...args) {
      const [code, , options] = args;
      if (typeof code !== 'string') return undefined;
      ensureRealm(options?.parsingContext);
      args[0] = native.instrument(code, options?.filename ?? '', FUNCTION_BODY) ?? code;
      return args;
    },
  });
  if (vm.SourceTextModule !== undefined) wrapModules();
  Module.syncBuiltinESMExports();
}

module.exports = { install };

function wrapScripts() {
  // vm.runInNewContext and Script.prototype.runInNewContext both come to runInContext with the context they made.
  intercept(vm.Script.prototype, 'runInContext', { before: (contextified) => void ensureRealm(contextified), failed: mend });
  intercept(vm.Script.prototype, 'runInThisContext', { failed: mend });
  let hadCache = false;
  interceptClass(vm, 'Script', {
    before(...args) {
      hadCache = false;
      if (args.length === 0) return undefined;
      const code = `${args[0]}`;
      const changed = native.instrument(code, nameIn(args[1]), SCRIPT);
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

function wrapModules() {
  interceptClass(vm, 'SourceTextModule', {
    before(...args) {
      const [code, options] = args;
      if (typeof code !== 'string') return undefined;
      ensureRealm(options?.context);
      args[0] = native.instrument(code, options?.identifier ?? 'vm:module', MODULE) ?? code;
      return args;
    },
  });
}

function ensureRealm(contextified) {
  if (typeof contextified === 'object' && contextified !== null && vm.isContext(contextified)) realm.ensure(contextified);
}

// vm puts an excerpt of the source in front of the stack of an error.
function mend(error) {
  if (!types.isNativeError(error)) return;
  const { stack } = error;
  if (typeof stack === 'string' && stack.includes('$w_')) error.stack = native.putRight(stack);
}

function nameIn(options) {
  const name = typeof options === 'string' ? options : options?.filename;
  return typeof name === 'string' ? name : DEFAULT_NAME;
}
