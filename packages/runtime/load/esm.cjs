// ES modules. Newer Nodes have hooks that run in the thread itself. Node 20 has a thread of its own for hooks, which would show
// in timing and in stack traces; there, two functions are wrapped that its loader uses to read and to decode a module.
'use strict';
const Module = require('module');
const fs = require('fs');
const { pathToFileURL } = require('url');
const { MODULE } = load('contract.generated.cjs').KIND;
const { replace } = load('load/hide.cjs');
const tests = load('load/tests.cjs');
const { SafeWeakMap, includes, join, matches } = load('load/primordials.cjs');
const { requestOfModule } = load('load/loads.cjs');
const typescript = load('load/typescript.cjs');

const { apply } = Reflect;
const { then } = Promise.prototype;
const { decode } = TextDecoder.prototype;

function install({ native, folder }) {
  if (typeof Module.registerHooks === 'function') registerHooks(native);
  else {
    wrapReading(native);
    registerForTypeScript(folder);
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
        return typescript.loadRefused(native, url, requestOfModule(url));
      }
      const { format } = result;
      if ((format !== 'module' && format !== 'module-typescript' && format !== 'commonjs-typescript') || result.source == null) return result;
      const source = typeof result.source === 'string' ? result.source : apply(decode, new TextDecoder(), [result.source]);
      const behind = tests.loading(source, url);
      const request = requestOfModule(url);
      if (format !== 'module') return { ...result, ...typescript.made(native, source, url, format, request) };
      const code = native.instrument(source, url, MODULE, undefined, request);
      if (behind !== undefined) return { ...result, source: joined(native, code ?? source, behind) };
      return code === undefined ? result : { ...result, source: code };
    },
  });
}

// With a text of ours behind it, which is not the program's.
function joined(native, code, behind) {
  const text = code + behind;
  native.letPass(text);
  return text;
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
      const behind = tests.loading(text, url);
      const code = native.instrument(text, url, MODULE, undefined, requestOfModule(url)) ?? text;
      return behind === undefined ? code : joined(native, code, behind);
    },
  }));
}

// With hooks of the program, sources come from their thread as text: loader-thread.cjs sees them there. Only a hook can tell Node 20
// what a TypeScript file is.
function registerForTypeScript(folder) {
  const { register } = Module;
  const own = pathToFileURL(`${folder}/load/hooks.mjs`);
  let isRegistered = false;
  const registerOwn = () => {
    if (isRegistered) return;
    isRegistered = true;
    apply(register, Module, [own]);
  };
  const flags = join(process.execArgv, ' ') + (process.env.NODE_OPTIONS ?? '');
  // Most TypeScript is seen first where CommonJS is compiled. What starts as a module, and with no tool that might see to it, is not.
  const startsAsModule = typescript.isNamedSo(process.argv[1]) && typescript.packageType(process.argv[1]) === 'module';
  const hasTools = matches(/(?:^|\s)(?:-r|--require|--import|--(?:experimental-)?loader)\b/, flags);
  if (startsAsModule && !hasTools) registerOwn();
  typescript.beforeFirst(registerOwn);
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
