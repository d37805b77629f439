// CommonJS modules, and the text of `node -e` or of a program read from stdin. The wrapper is the innermost one: what require hooks of other tools make of a
// file is what gets instrumented.
'use strict';
const Module = require('module');
const vm = require('vm');
const { intercept } = load('load/hide.cjs');
const { HELPER, KIND, PREFIX } = load('contract.generated.cjs');
const { pathToFileURL } = require('url');
const { endsWith, includes, indexOf, matches, slice } = load('load/primordials.cjs');
const tests = load('load/tests.cjs');
const typescript = load('load/typescript.cjs');

const loads = load('load/loads.cjs');

const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;

function install({ native, isMainThread, isInProduction }) {
  const { _compile } = Module.prototype;
  const { _load } = Module;
  // In production the policy alone says what is recorded.
  if (!isInProduction) intercept(Module, '_load', { before: loads.begin, after: loads.end, failed: loads.end });
  intercept(Module.prototype, '_compile', {
    before(...args) {
      const content = args[0];
      const filename = args[1];
      const format = args[2];
      if (typeof content !== 'string' || typeof filename !== 'string') return undefined;
      tests.compiling(this, content, filename);
      if (isWrappedOtherwise()) {
        native.problem(`${filename} is not captured: Module.wrapper was replaced`);
        return undefined;
      }
      if (format === undefined && isEvalWrapper(content, filename)) {
        const wrapper = evalWrapper(native, content, filename);
        native.letPass(wrapper);
        return [wrapper, filename];
      }
      if (typescript.isDone(filename, content)) return args;
      const isTyped = typescript.isTyped(filename, format);
      const text = isTyped ? instrumentedTyped(native, content, filename) : instrumented(native, this, content, filename, format);
      args[0] = text ?? content + tests.behind(content, filename);
      return args;
    },
    after: () => tests.compiled(),
  });
  // V8 names this method after the property in which it finds it, and there it finds ours. (In the main thread of Node 20 it
  // knows the name from the source.) See also stack.cjs.
  if (!isMainThread || nodeVersion > 20) {
    defineProperty(_compile, 'name', { __proto__: null, value: '_compile' });
    if (!isInProduction) defineProperty(_load, 'name', { __proto__: null, value: '_load' });
  }
}

// What a program put around modules sees their variables, and may make their code strict: only the whole could be instrumented.
function isWrappedOtherwise() {
  const wrapper = getOwnPropertyDescriptor(Module, 'wrapper');
  const wrap = getOwnPropertyDescriptor(Module, 'wrap');
  if (wrapper?.get !== getWrapper || wrap?.get !== getWrap) return true;
  return apply(getWrap, Module, []) !== nodeWrap || apply(getWrapper, Module, []) !== nodeWrapper || nodeWrapper[0] !== opening || nodeWrapper[1] !== closing;
}

const { get: getWrapper } = getOwnPropertyDescriptor(Module, 'wrapper');
const { get: getWrap } = getOwnPropertyDescriptor(Module, 'wrap');
const { wrap: nodeWrap, wrapper: nodeWrapper } = Module;
const { 0: opening, 1: closing } = nodeWrapper;

let evalScript;

// Runs the text of `node -e` in the place of Node's own `main`; known to the wrapper as HELPER.MAIN.
function runEval(main) {
  return evalScript === undefined ? main() : apply(runScript, evalScript, [null, -1, true, false, false]);
}

module.exports = { install, runEval };

function instrumented(native, module, content, filename, format) {
  const request = loads.compiled(filename);
  if (format === 'module') return hasHooks ? undefined : native.instrument(content, toUrl(filename), MODULE, undefined, request);
  if (format !== undefined && format !== 'commonjs') return undefined;
  const text = native.instrument(content, filename, COMMON_JS, undefined, request);
  if (text !== undefined || format === 'commonjs' || module === process.mainModule) return text;
  // Perhaps a module that Node recognises by its syntax. As the entry it is loaded once more, through the hooks.
  return matches(/^\s*(?:import|export)\b/m, content) ? native.instrument(content, toUrl(filename), MODULE, undefined, request) : undefined;
}

// Node recognises a module of TypeScript by what is left of it.
function instrumentedTyped(native, content, filename) {
  const isModule = typescript.isModule(native, content, filename);
  const request = loads.compiled(filename);
  return typescript.instrument(native, content, isModule ? toUrl(filename) : filename, isModule ? MODULE : COMMON_JS, request);
}

const { COMMON_JS, MODULE, SCRIPT } = KIND;
const CALL = '=> main();';
const nodeVersion = parseInt(process.versions.node, 10);
const hasHooks = typeof Module.registerHooks === 'function';
const toUrl = (filename) => pathToFileURL(filename).href;

function isEvalWrapper(content, filename) {
  return endsWith(filename, ']-wrapper') && includes(content, CALL);
}

// Node hands `main` to what the wrapper returns; `main` compiles and runs the text. The call stays in its place.
function evalWrapper(native, content, filename) {
  const name = slice(filename, 0, -'-wrapper'.length);
  const text = textOfEval(name);
  if (typeof text !== 'string') return content;
  const code = native.instrument(text, name, SCRIPT, undefined, loads.START);
  if (code === undefined) return content;
  const importModuleDynamically = vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  if (matches(/\bimport\b/, text)) warnOnceSilently({ importModuleDynamically });
  evalScript = new Script(code, { filename: name, importModuleDynamically });
  const at = indexOf(content, CALL);
  return `${slice(content, 0, at)}=> ${PREFIX}${HELPER.MAIN}(main);${slice(content, at + CALL.length)}`;
}

function textOfEval(name) {
  if (name === '[worker eval]') return load('load/workers.cjs').textOfWorker();
  if (typeof process._eval !== 'string') return undefined;
  return name === '[eval]' ? evalText(process._eval) : name === '[stdin]' ? process._eval : undefined;
}

// Node warns, once, when a script with this option imports something.
function warnOnceSilently(options) {
  const descriptor = getOwnPropertyDescriptor(process, 'emitWarning');
  defineProperty(process, 'emitWarning', { __proto__: null, value() {} });
  apply(runScript, new Script('import("node:fs")', options), [null, -1, true, false, false]);
  defineProperty(process, 'emitWarning', descriptor);
}

// The program's own are wrapped, and would instrument once more.
const { Script } = vm;
const runScript = Object.getPrototypeOf(Script.prototype).runInContext;

// As Node does it: a text that names `crypto` gets the module of that name.
function evalText(text) {
  if (!matches(/\bcrypto\b/, text)) return text;
  return process._print_eval
    ? `let crypto=require("node:crypto");{${text}}`
    : `(crypto=>{{${text}}})(require('node:crypto'))`;
}
