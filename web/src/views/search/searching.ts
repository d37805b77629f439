// Where a text is found. What is known in the page comes at once; what the server must look for follows, each kind when it is there.
import { ask, isAborted } from '../../api/client';
import type { SearchHitJson, SearchJson } from '../../api/types';
import { momentOf } from '../../api/types';
import { address, go } from '../../state/address';
import { hitOfLine } from '../../state/moving';
import { sources } from '../../state/run';
import { placeOf } from '../../widgets/words';

export interface Hit {
  kind: string;
  text: string;
  where: string;
  act(): void;
}

const KINDS = ['function', 'line', 'output', 'write', 'value'] as const;
/** Of each kind. */
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
    const found: Hit[][] = KINDS.map(() => []);
    let n_open = KINDS.length;
    KINDS.forEach((within, index) => {
      ask<SearchJson>({ kind: 'search', text: wanted, within, limit: MOST }, { run: address.peek().run, signal: own.signal })
        .then((reply) => (found[index] = reply.answer.hits.map(shown)))
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

function shown(hit: SearchHitJson): Hit {
  const { kind, text, file, line, point } = hit;
  const place = point && kind !== 'function' ? placeOf(point) : file ? `${file}:${line ?? 1}` : '';
  const where = kind === 'function' && !point ? `${place} · never called` : place;
  return { kind, text, where, act: () => lead(hit) };
}

/** A line that was executed is shown at its last time before the moment; any other as it stands there. */
function lead({ file, line, point }: SearchHitJson): void {
  if (point) go(momentOf(point));
  else if (file && line) {
    go({ file, line });
    void hitOfLine(file, line, true);
  }
}
