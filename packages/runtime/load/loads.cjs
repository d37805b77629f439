// Who asks for the CommonJS module that is being loaded, for the rule that tells the program from its tools.
'use strict';
const fs = require('fs');
const { pathToFileURL } = require('url');
const { types } = require('util');
const { append, startsWith } = load('load/primordials.cjs');
const starter = load('load/starter.cjs');

const { getOwnPropertyDescriptor } = Reflect;
const { isProxy } = types;

// As the addon reads them: a letter, and the path of who asks.
const START = 'S';
const COMPILED = 'C';
const BY_NAME = 'N';
const BY_PATH = 'P';

// Loads that have not ended, innermost last: { request, isCompiled }.
const loading = [];

function begin(request, parent, isMain) {
  append(loading, { request: whoAsks(request, parent, isMain), isCompiled: false });
}

// What `intercept` calls behind an exception may give another one.
function end() {
  loading.length--;
}

// A text is compiled as a module. What has no load of its own was handed to the loader by somebody who is unknown.
function compiled() {
  const top = loading[loading.length - 1];
  if (top === undefined) return undefined;
  top.isCompiled = true;
  return top.request;
}

// A text with this name is compiled by node:vm. Caches of compiled code do that for modules, in the place of the loader.
function compiledByVm(filename) {
  const top = loading[loading.length - 1];
  if (top === undefined || top.isCompiled || !startsWith(filename, '/')) return COMPILED;
  top.isCompiled = true;
  return top.request ?? COMPILED;
}

// The loader of ES modules does not say who asks. Only of the entry it is known.
let entry;
function requestOfModule(url) {
  entry ??= urlOf(starter.entryOfWorker() ?? process.argv[1]);
  return url === entry ? whoStarted() : undefined;
}

module.exports = { START, COMPILED, requestOfModule, begin, end, compiled, compiledByVm };

function whoStarted() {
  return starter.parentOfWorker() ?? START;
}

const { realpathSync } = fs;

// Of what a process is started with: a path that may lead through links, or the URL that a worker was given.
function urlOf(name) {
  if (typeof name !== 'string' || startsWith(name, 'file:')) return name ?? '';
  try {
    return pathToFileURL(realpathSync(name)).href;
  } catch {
    return '';
  }
}

function whoAsks(request, parent, isMain) {
  if (isMain === true) return whoStarted();
  const file = fileOf(parent);
  if (file === null) return START;
  if (file === undefined) return undefined;
  return (typeof request === 'string' && startsWith(request, '/') ? BY_PATH : BY_NAME) + file;
}

// Null for what Node itself asks for before the program: the modules of -r. The parent may be an object that the program made.
function fileOf(parent) {
  if (typeof parent !== 'object' || parent === null || isProxy(parent)) return undefined;
  const file = getOwnPropertyDescriptor(parent, 'filename')?.value;
  if (typeof file === 'string') return file;
  return getOwnPropertyDescriptor(parent, 'id')?.value === 'internal/preload' ? null : undefined;
}
