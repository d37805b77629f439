// ES modules. Newer Nodes call hooks in the thread itself. Node 20 has a thread for hooks, which takes long to start: it is
// started when the first code that may import something is about to run.
'use strict';
const Module = require('module');
const fs = require('fs');
const path = require('path');
const { MODULE } = load('load/kinds.cjs');

let register;

function install({ native, folder }) {
  if (typeof Module.registerHooks === 'function') {
    registerInThread(native);
    return;
  }
  register = () => {
    register = undefined;
    const { pathToFileURL } = require('url');
    Module.register(pathToFileURL(path.join(folder, 'load/hooks.mjs')));
  };
  if (entryMayBeModule()) register();
}

// Before code that may import something is compiled.
function prepareFor(text) {
  if (register !== undefined && /\bimport\b/.test(text)) register();
}

module.exports = { install, prepareFor };

function registerInThread(native) {
  Module.registerHooks({
    load(url, context, nextLoad) {
      const result = nextLoad(url, context);
      if (result.format !== 'module' || result.source == null) return result;
      const source = typeof result.source === 'string' ? result.source : new TextDecoder().decode(result.source);
      const code = native.instrument(source, url, MODULE);
      return code === undefined ? result : { ...result, source: code };
    },
  });
}

// Asks as Node will ask: by extension, and for .js by the nearest package.json.
function entryMayBeModule() {
  const { execArgv } = process;
  if (execArgv.some((arg) => /^--(?:import|loader|experimental-loader|input-type|experimental-default-type|test)\b/.test(arg))) return true;
  const file = process.argv[1];
  if (file === undefined) return typeof process._eval === 'string' && /\bimport\b/.test(process._eval);
  if (/\.(?:cjs|json|node)$/.test(file)) return false;
  if (file.endsWith('.mjs')) return true;
  for (let folder = path.dirname(path.resolve(file)); ; folder = path.dirname(folder)) {
    let text;
    try {
      text = fs.readFileSync(path.join(folder, 'package.json'), 'utf8');
    } catch {
      if (path.dirname(folder) === folder) return false;
      continue;
    }
    return /"type"\s*:\s*"module"/.test(text);
  }
}
