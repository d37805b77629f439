// Node 20, for a program that has module hooks of its own, or is TypeScript: runs in their thread, behind the program's hooks.
// The addon is the same for all threads of the process.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULE = 1;
const TYPESCRIPT = 8;
const files = createRequire(import.meta.url)('./typescript-files.cjs');
const holder = { exports: {} };
process.dlopen(holder, path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'wherefore.node'));
const native = holder.exports;

// How often these hooks were registered, and whether others are being registered just now; and which of these times this is:
// only the last is behind all others.
let registered;
let own;

export function initialize(data) {
  registered = new Int32Array(data.registered);
  own = data.own;
}

export async function resolve(specifier, context, nextResolve) {
  if (!isLast()) return nextResolve(specifier, context);
  try {
    return await nextResolve(specifier, context);
  } catch (error) {
    const url = files.find(specifier, context.parentURL);
    if (url === undefined) throw error;
    return { url, shortCircuit: true };
  }
}

export async function load(url, context, nextLoad) {
  if (!isLast()) return nextLoad(url, context);
  let result;
  try {
    result = await nextLoad(url, context);
  } catch (error) {
    if (error?.code !== 'ERR_UNKNOWN_FILE_EXTENSION' || !files.isNamedSo(url)) throw error;
    return loadUnknown(url);
  }
  if (result.format !== 'module' || result.source == null || registered[1] === 1) return result;
  const source = typeof result.source === 'string' ? result.source : new TextDecoder().decode(result.source);
  const code = native.instrument(source, url, MODULE);
  return code === undefined ? result : { ...result, source: code };
}

function isLast() {
  return registered[0] === own;
}

function loadUnknown(url) {
  const file = fileURLToPath(url);
  const source = fs.readFileSync(file, 'utf8');
  // CommonJS is compiled where all of it is.
  if (!files.isModule(native, source, file)) return { format: 'commonjs', source: null, shortCircuit: true };
  return { format: 'module', source: native.instrument(source, url, MODULE + TYPESCRIPT) ?? source, shortCircuit: true };
}
