// Files of TypeScript and JSX: their names, whether they are ES modules, and where the names that they import lead. Also used
// in the thread of module hooks, where nothing else of ours is: it needs no other file.
'use strict';
const fs = require('fs');
const path = require('path');
const { fileURLToPath, pathToFileURL } = require('url');

const { apply } = Reflect;
const { exec } = RegExp.prototype;
const { slice } = String.prototype;
const { readFileSync, statSync } = fs;
const { dirname, resolve, isAbsolute } = path;
const { parse } = JSON;

// What TypeScript lets people write for what a file will be called.
const WRITTEN_FOR = { '.js': ['.ts', '.tsx', '.jsx'], '.mjs': ['.mts'], '.cjs': ['.cts'], '.jsx': ['.tsx'] };
const LEFT_OUT = ['.ts', '.tsx', '.mts', '.cts', '.jsx', '.js', '.mjs', '.cjs', '.json'];

// By path or URL.
const isNamedSo = (name) => typeof name === 'string' && matches(/\.(?:[cm]?ts|[tj]sx)$/, name);

// Whether Node, where it takes types away, would do it with a file of this name.
const isStripped = (name) => matches(/\.[cm]?ts$/, name);

// As Node decides for JavaScript: the name, the package, what is in it. TypeScript that says it is CommonJS and imports all
// the same was written for a compiler that makes `require` of it.
function isModule(native, source, file) {
  if (matches(/\.mts$/, file)) return true;
  return (!matches(/\.cts$/, file) && packageType(file) === 'module') || native.hasModuleSyntax(source, file);
}

// The file that TypeScript would have found, as a URL, where Node found none.
function find(specifier, parentURL) {
  if (!isNamedSo(parentURL) || !matches(/^file:/, parentURL)) return undefined;
  const isUrl = matches(/^file:/, specifier);
  if (!isUrl && !matches(/^\.{0,2}\//, specifier) && specifier !== '.' && specifier !== '..') return undefined;
  const url = isUrl ? specifier : new URL(specifier, parentURL).href;
  const file = findFile(fileURLToPath(url));
  return file === undefined ? undefined : pathToFileURL(file).href;
}

// The same for `require`, as a path.
function findRequired(request, parent) {
  if (!isNamedSo(parent) || !(matches(/^\.{1,2}(?:\/|$)/, request) || isAbsolute(request))) return undefined;
  return findFile(resolve(dirname(parent), request));
}

module.exports = { isNamedSo, isStripped, isModule, packageType, find, findRequired };

function findFile(wanted) {
  const written = apply(exec, /\.[cm]?jsx?$/, [wanted]);
  const instead = written === null ? undefined : WRITTEN_FOR[written[0]];
  const found = instead && firstFile(apply(slice, wanted, [0, -written[0].length]), instead);
  return found ?? firstFile(wanted, LEFT_OUT) ?? firstFile(`${wanted}/index`, LEFT_OUT);
}

function firstFile(stem, extensions) {
  for (let i = 0; i < extensions.length; i++) {
    const file = `${stem}${extensions[i]}`;
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
  }
  return undefined;
}

function packageType(file) {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    try {
      return parse(readFileSync(`${folder}/package.json`, 'utf8')).type;
    } catch {
      // None here.
    }
    if (folder === dirname(folder) || matches(/[\\/]node_modules$/, folder)) return undefined;
  }
}

function matches(pattern, text) {
  return apply(exec, pattern, [text]) !== null;
}
