// TypeScript and JSX. Where Node itself takes the types away, what it makes is what gets instrumented; Node then takes them
// away once more, finds none, and gives its own warnings and errors. What Node cannot do (enums, decorators, elements, files
// that other files call by other names, …) is done here, as compilers do it.
'use strict';
const Module = require('module');
const fs = require('fs');
const { fileURLToPath } = require('url');
const { COMMON_JS, MODULE, TYPESCRIPT } = load('contract.generated.cjs').KIND;
const { replace } = load('load/hide.cjs');
const { SafeMap, hasOwn, matches, slice, startsWith, lastIndexOf } = load('load/primordials.cjs');
const files = load('load/typescript-files.cjs');

const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
const { readFileSync } = fs;
const { stripTypeScriptTypes, registerHooks } = Module;
const extensions = Module._extensions;

// As native.instrument; the run keeps the source as it was written.
function instrument(native, source, filename, kind, request) {
  resolveAsCompilersDo();
  const stripped = files.isStripped(filename) ? strip(native, source, filename) : undefined;
  if (stripped !== undefined) return native.instrument(stripped, filename, kind, source, request);
  return native.instrument(source, filename, kind + TYPESCRIPT, undefined, request);
}

// Whether what is compiled under this name is still TypeScript or JSX. Who handles such files (ts-node and its like) hands
// over JavaScript.
function isTyped(filename, format) {
  if (format !== undefined) return hasOwn(FORMATS, format);
  return files.isNamedSo(filename) && !hasOwn(extensions, slice(filename, lastIndexOf(filename, '.')));
}

// What a load hook gives for a file that Node takes the types of away.
function made(native, source, url, format, request) {
  const file = fileURLToPath(url);
  const isModule = format === 'module-typescript' || files.isModule(native, source, file);
  const code = instrument(native, source, isModule ? url : file, isModule ? MODULE : COMMON_JS, request) ?? source;
  done.set(file, code);
  return { format: isModule ? 'module-typescript' : 'commonjs-typescript', source: code };
}

// The same for one that Node refuses.
function loadRefused(native, url, request) {
  const { format, source } = made(native, readFileSync(fileURLToPath(url), 'utf8'), url, undefined, request);
  return { format: format === 'module-typescript' ? 'module' : 'commonjs', source, shortCircuit: true };
}

function isRefusal({ code }) {
  return code === 'ERR_UNKNOWN_FILE_EXTENSION' || code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' || code === 'ERR_INVALID_TYPESCRIPT_SYNTAX';
}

// What was made of a file on its way to being compiled. Node puts a comment behind it.
const done = new SafeMap();
const isDone = (file, source) => done.size > 0 && done.has(file) && startsWith(source, done.get(file));

const FORMATS = { 'commonjs-typescript': true, 'module-typescript': true, typescript: true };

module.exports = { instrument, isTyped, isDone, isNamedSo: files.isNamedSo, isModule: files.isModule, packageType: files.packageType, beforeFirst, made, loadRefused, isRefusal };

// JavaScript of the same length; undefined if Node cannot do it.
function strip(native, source, filename) {
  // Node leaves them in, and V8 does not know them.
  if (stripTypeScriptTypes === undefined || (matches(/@|\baccessor\b/, source) && native.hasDecorators(source, filename))) return undefined;
  const descriptor = getOwnPropertyDescriptor(process, 'emitWarning');
  defineProperty(process, 'emitWarning', { __proto__: null, value() {} });
  try {
    return stripTypeScriptTypes(source);
  } catch {
    return undefined;
  } finally {
    defineProperty(process, 'emitWarning', descriptor);
  }
}

let resolves = false;
let prepare;

// What has to be done before the first such file runs.
function beforeFirst(callback) {
  prepare = callback;
}

// From the first such file on, what Node does not find is looked for as compilers do. (Node 20 has hooks.mjs for imports.)
function resolveAsCompilersDo() {
  if (resolves) return;
  resolves = true;
  prepare?.();
  if (registerHooks !== undefined) {
    apply(registerHooks, Module, [{
      resolve(specifier, context, nextResolve) {
        try {
          return nextResolve(specifier, context);
        } catch (error) {
          const url = files.find(specifier, context.parentURL);
          if (url === undefined) throw error;
          return { url, shortCircuit: true };
        }
      },
    }]);
    return;
  }
  replace(Module, '_resolveFilename', (plain) => ({
    method(request, parent) {
      try {
        return apply(plain, this, arguments);
      } catch (error) {
        const file = files.findRequired(request, parent?.filename);
        if (file === undefined) throw error;
        return file;
      }
    },
  }));
}
