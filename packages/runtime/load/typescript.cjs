// TypeScript that Node itself runs by taking the types away. What Node makes of it is what gets instrumented; Node then takes
// the types away once more, finds none, and gives its own warnings and errors.
'use strict';
const Module = require('module');
const { TYPESCRIPT } = load('load/kinds.cjs');
const { hasOwn, matches } = load('load/primordials.cjs');

const { defineProperty, getOwnPropertyDescriptor } = Reflect;
const { stripTypeScriptTypes } = Module;

// JavaScript of the same length; undefined if Node cannot do it, which it will then say itself.
function strip(source) {
  const descriptor = getOwnPropertyDescriptor(process, 'emitWarning');
  defineProperty(process, 'emitWarning', { __proto__: null, value() {} });
  try {
    return stripTypeScriptTypes?.(source);
  } catch {
    return undefined;
  } finally {
    defineProperty(process, 'emitWarning', descriptor);
  }
}

// As native.instrument, for TypeScript; the run keeps the source as it was written. What Node cannot do (enums, namespaces,
// parameter properties) the instrumenter puts into JavaScript itself.
function instrument(native, source, filename, kind) {
  const stripped = strip(source);
  if (stripped !== undefined) return native.instrument(stripped, filename, kind, source);
  return native.instrument(source, filename, kind + TYPESCRIPT);
}

// Whether a file that Node takes for JavaScript is TypeScript: a Node that knows no types, and a name that says so.
const isNamedSo = (filename) => matches(/\.[cm]?ts$/, filename);

const FORMATS = { 'commonjs-typescript': 'commonjs', 'module-typescript': 'module', typescript: undefined };

module.exports = { instrument, isNamedSo, isTypeScript: (format) => hasOwn(FORMATS, format), plainFormat: (format) => FORMATS[format] };
