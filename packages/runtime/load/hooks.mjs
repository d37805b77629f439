// Node 20, for a program in TypeScript that no tool sees to: runs in the thread of module hooks. The addon is the same for all threads
// of the process.
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

export async function resolve(specifier, context, nextResolve) {
  try {
    return await nextResolve(specifier, context);
  } catch (error) {
    const url = files.find(specifier, context.parentURL);
    if (url === undefined) throw error;
    return { url, shortCircuit: true };
  }
}

export async function load(url, context, nextLoad) {
  try {
    return await nextLoad(url, context);
  } catch (error) {
    if (error?.code !== 'ERR_UNKNOWN_FILE_EXTENSION' || !files.isNamedSo(url)) throw error;
    return loadUnknown(url);
  }
}

function loadUnknown(url) {
  const file = fileURLToPath(url);
  const source = fs.readFileSync(file, 'utf8');
  // CommonJS is compiled where all of it is.
  if (!files.isModule(native, source, file)) return { format: 'commonjs', source: null, shortCircuit: true };
  return { format: 'module', source: native.instrument(source, url, MODULE + TYPESCRIPT) ?? source, shortCircuit: true };
}
