// ES modules. Newer Nodes have hooks that run in the thread itself. Node 20 has a thread of its own for hooks, which would show
// in timing and in stack traces; there, two functions are wrapped that its loader uses to read and to decode a module.
'use strict';
const Module = require('module');
const fs = require('fs');
const { pathToFileURL } = require('url');
const { MODULE } = load('load/kinds.cjs');
const { replace } = load('load/hide.cjs');
const { SafeWeakMap, includes, join, matches } = load('load/primordials.cjs');
const typescript = load('load/typescript.cjs');

const { apply } = Reflect;
const { then } = Promise.prototype;
const { decode } = TextDecoder.prototype;

function install({ native, folder }) {
  if (typeof process._eval === 'string' && process.execArgv.some((arg) => /^--input-type=module/.test(arg))) {
    native.problem('the text of --input-type=module is not captured');
  }
  if (typeof Module.registerHooks === 'function') registerHooks(native);
  else {
    wrapReading(native);
    followOtherHooks(folder);
  }
}

module.exports = { install };

function registerHooks(native) {
  Module.registerHooks({
    load(url, context, nextLoad) {
      let result;
      try {
        result = nextLoad(url, context);
      } catch (error) {
        if (!typescript.isNamedSo(url) || !typescript.isRefusal(error)) throw error;
        return typescript.loadRefused(native, url);
      }
      const { format } = result;
      if ((format !== 'module' && format !== 'module-typescript' && format !== 'commonjs-typescript') || result.source == null) return result;
      const source = typeof result.source === 'string' ? result.source : apply(decode, new TextDecoder(), [result.source]);
      if (format !== 'module') return { ...result, ...typescript.made(native, source, url, format) };
      const code = native.instrument(source, url, MODULE);
      return code === undefined ? result : { ...result, source: code };
    },
  });
}

function wrapReading(native) {
  // The bytes of modules that were read and not yet decoded, with their URLs.
  const modules = new SafeWeakMap();
  let nWaiting = 0;
  replace(fs.promises, 'readFile', (plain) => ({
    method(url) {
      const reading = apply(plain, this, arguments);
      if (arguments.length === 1 && url instanceof URL && isModule(url) && calledByLoader()) {
        // Registered before the loader's own reaction, and therefore run before it.
        const read = (bytes) => {
          modules.set(bytes, url.href);
          nWaiting++;
        };
        apply(then, reading, [read, () => {}]);
      }
      return reading;
    },
  }));
  replace(TextDecoder.prototype, 'decode', (plain) => ({
    method(bytes) {
      const text = apply(plain, this, arguments);
      if (nWaiting === 0 || typeof bytes !== 'object' || bytes === null) return text;
      const url = modules.get(bytes);
      if (url === undefined) return text;
      modules.delete(bytes);
      nWaiting--;
      return native.instrument(text, url, MODULE) ?? text;
    },
  }));
}

// With hooks of the program, sources come from their thread as text. Then we are there too, as the last in the row, which sees
// what the others made. And only there can Node 20 be told what a TypeScript file is.
function followOtherHooks(folder) {
  const { register } = Module;
  const own = pathToFileURL(`${folder}/load/hooks.mjs`);
  const registered = new SharedArrayBuffer(8);
  const count = new Int32Array(registered);
  const registerOwn = () => apply(register, Module, [own, { data: { registered, own: ++count[0] } }]);
  replace(Module, 'register', (plain) => ({
    method() {
      // Hooks are code of their own thread, which has no recorder.
      count[1] = 1;
      try {
        return apply(plain, this, arguments);
      } finally {
        count[1] = 0;
        registerOwn();
      }
    },
  }));
  const flags = join(process.execArgv, ' ') + (process.env.NODE_OPTIONS ?? '');
  // Most TypeScript is seen first where CommonJS is compiled. What starts as a module, and with no tool that might see to it, is not.
  const startsAsModule = typescript.isNamedSo(process.argv[1]) && typescript.packageType(process.argv[1]) === 'module';
  const hasTools = matches(/(?:^|\s)(?:-r|--require|--import)\b/, flags);
  if (matches(/--(?:experimental-)?loader\b/, flags) || (startsAsModule && !hasTools)) registerOwn();
  typescript.beforeFirst(() => count[0] === 0 && registerOwn());
}

function isModule(url) {
  return url.protocol === 'file:' && !matches(/\.(?:json|wasm|node)$/, url.pathname);
}

function calledByLoader() {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 5;
  const { stack } = new Error();
  Error.stackTraceLimit = limit;
  return includes(stack, 'node:internal/modules/esm/load:');
}
