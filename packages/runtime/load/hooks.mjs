// Node 20, for a program that has module hooks of its own: runs behind them in their thread. The addon is the same for all
// threads of the process.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULE = 1;
const holder = { exports: {} };
process.dlopen(holder, path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'wherefore.node'));
const { instrument } = holder.exports;

export async function load(url, context, nextLoad) {
  const result = await nextLoad(url, context);
  if (result.format !== 'module' || result.source == null) return result;
  const source = typeof result.source === 'string' ? result.source : new TextDecoder().decode(result.source);
  const code = instrument(source, url, MODULE);
  return code === undefined ? result : { ...result, source: code };
}
