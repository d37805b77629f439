// Texts of the project's own files, for the search: asked for once, when somebody searches first.
import { ask } from '../../api/client';
import type { SourceTextJson } from '../../api/types';
import { runName } from '../../state/address';
import { sources } from '../../state/run';

export interface Text {
  file: string;
  lines: string[];
  hits: Map<number, number>;
}

/** More files than these are not searched, nor are those of packages. */
const MOST_FILES = 80;
let known: { run: string | undefined; texts: Promise<Text[]> } | undefined;

export function textsOfProject(): Promise<Text[]> {
  const run = runName.peek();
  if (known?.run !== run || sources.peek().length === 0) known = { run, texts: load(run) };
  return known!.texts;
}

async function load(run: string | undefined): Promise<Text[]> {
  const own = sources.peek().filter((one) => !one.file.includes('node_modules/'));
  const texts: Text[] = [];
  for (const { file } of own.slice(0, MOST_FILES)) {
    const reply = await ask<SourceTextJson>({ kind: 'source', file }, { run }).catch(() => undefined);
    if (reply) texts.push({ file, lines: reply.answer.text.split('\n'), hits: new Map(reply.answer.hits) });
  }
  return texts;
}
