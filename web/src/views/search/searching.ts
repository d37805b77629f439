// Where a text is found. What is known in the page comes at once; what the server must look for follows.
import { ask, isAborted } from '../../api/client';
import type { CallsJson, FoundJson } from '../../api/types';
import { momentOf } from '../../api/types';
import { address, go } from '../../state/address';
import { hitOfLine } from '../../state/moving';
import { sources } from '../../state/run';
import { source } from '../../state/sources';
import { placeOf } from '../../widgets/words';
import { textsOfProject } from './texts';

export interface Hit {
  kind: 'file' | 'line' | 'call' | 'output' | 'write' | 'value' | 'point';
  text: string;
  where: string;
  act(): void;
}

const MOST = 40;

/** Tells what is found so far, again and again; the function that it gives ends the search. */
export function search(text: string, tell: (hits: Hit[], isAll: boolean) => void, failed: (error: unknown) => void): () => void {
  const wanted = text.trim();
  if (!wanted) {
    tell([], true);
    return () => {};
  }
  const own = new AbortController();
  const known = [...points(wanted), ...files(wanted)];
  tell(known, false);
  const timer = window.setTimeout(() => {
    const asked = [lines(wanted), calls(wanted, own.signal), output(wanted, own.signal), writes(wanted, own.signal), values(wanted, own.signal)];
    const found: Hit[][] = asked.map(() => []);
    let n_open = asked.length;
    asked.forEach((part, index) => {
      part
        .then((hits) => (found[index] = hits))
        .catch((error) => {
          if (!isAborted(error)) failed(error);
        })
        .finally(() => {
          n_open -= 1;
          if (!own.signal.aborted) tell([...known, ...found.flat()], n_open === 0);
        });
    });
  }, 120);
  return () => {
    clearTimeout(timer);
    own.abort();
  };
}

function points(text: string): Hit[] {
  const isPoint = /^(@\d+|P\d+|crash|end|(out|err):\d+|\S+:\d+(:\d+)?(#\d+)?)$/.test(text);
  return isPoint ? [{ kind: 'point', text, where: 'go there', act: () => go({ at: text, thread: undefined }) }] : [];
}

function files(text: string): Hit[] {
  const found = sources.value.filter((one) => one.file.toLowerCase().includes(text.toLowerCase())).slice(0, 8);
  return found.map((one) => ({ kind: 'file', text: one.file, where: `${one.executed} of ${one.lines} lines executed`, act: () => go({ file: one.file }) }));
}

/** Of the project's own files, the one that is shown first. */
async function lines(text: string): Promise<Hit[]> {
  const wanted = text.toLowerCase();
  const shown = source.value?.file;
  const texts = [...(await textsOfProject())].sort((one, other) => Number(other.file === shown) - Number(one.file === shown));
  const found: Hit[] = [];
  for (const { file, lines, hits } of texts) {
    for (const [index, line] of lines.entries()) {
      if (found.length >= MOST) return found;
      if (!line.toLowerCase().includes(wanted)) continue;
      const number = index + 1;
      const act = (): void => (hits.get(number) ? void hitOfLine(file, number, true) : go({ file, line: number }));
      found.push({ kind: 'line', text: line.trim(), where: `${file}:${number}`, act });
    }
  }
  return found;
}

const none = (): never[] => [];

async function calls(text: string, signal: AbortSignal): Promise<Hit[]> {
  const run = address.value.run;
  const reply = await ask<CallsJson>({ kind: 'calls', function: text, limit: MOST }, { run, signal }).catch(unlessAborted);
  return (reply?.answer.calls ?? none()).map((call) => ({
    kind: 'call',
    text: `${call.point.function ?? 'top level'}(${call.arguments.map((one) => one.value.text).join(', ')})`,
    where: placeOf(call.point),
    act: () => go(momentOf(call.point)),
  }));
}

async function output(text: string, signal: AbortSignal): Promise<Hit[]> {
  return events({ kind: 'find', event: 'output', output: text, limit: MOST }, 'output', signal);
}

/** Of variables and properties of that name. */
async function writes(text: string, signal: AbortSignal): Promise<Hit[]> {
  if (!/^[A-Za-z_$][\w$]*$/.test(text)) return [];
  return events({ kind: 'find', event: 'write', name: text, limit: MOST }, 'write', signal);
}

async function values(text: string, signal: AbortSignal): Promise<Hit[]> {
  const isPlain = /^(-?\d+(\.\d+)?|true|false|null|undefined|NaN|"[^"]*"|'[^']*')$/.test(text);
  const value = isPlain ? `=== ${text}` : `~ ${text}`;
  return events({ kind: 'find', event: 'write', value, limit: MOST }, 'value', signal);
}

async function events(question: Parameters<typeof ask>[0], kind: Hit['kind'], signal: AbortSignal): Promise<Hit[]> {
  const reply = await ask<FoundJson>(question, { run: address.value.run, signal }).catch(unlessAborted);
  return (reply?.answer.results ?? none()).map((found) => ({
    kind,
    text: found.text,
    where: placeOf(found.point),
    act: () => go(momentOf(found.point)),
  }));
}

/** A function that does not exist is nothing found. */
function unlessAborted(error: unknown): undefined {
  if (isAborted(error)) throw error;
  return undefined;
}
