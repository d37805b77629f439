// Variables and what is inside of them, as rows. What is inside is asked for when somebody opens it, a page at a time.
import { effect, signal } from '@preact/signals';
import { ask } from '../../api/client';
import type { NamedJson, PlaceJson, ValueJson } from '../../api/types';
import { address } from '../../state/address';
import { inCall } from '../../state/incall';
import { frame, moment } from '../../state/moment';
import { complain } from '../../state/said';

export interface Row {
  /** Unique among the rows, and the same at the next moment. */
  path: string;
  /** As the source would write it. */
  place: string;
  name: string;
  scope: string;
  value?: ValueJson;
  depth: number;
  isOpen: boolean;
  canOpen: boolean;
  /** What the call that the moment is in did to it. */
  mark?: 'changed' | 'inside';
  /** Before the call changed it. */
  old?: string;
  /** So many more are there: this row asks for them. */
  more?: { of: string; skip: number; count: number };
}

export const rows = signal<Row[]>([]);

const PAGE = 100;
const open = signal(new Map<string, number>());
/** By the path that was opened, for the moment that is shown. */
const inside = signal(new Map<string, { entries: NamedJson[]; more: number }>());
let generation = 0;

effect(() => {
  moment.value;
  generation += 1;
  inside.value = new Map();
});

effect(() => {
  const shown = frame.value;
  const found: Row[] = [];
  const add = (named: NamedJson, parent: Row | undefined): void => {
    const place = parent ? childPlace(parent, named.name) : named.name;
    const path = parent ? `${parent.path}\0${named.name}` : named.name;
    const canOpen = named.value.object !== undefined;
    const isOpen = canOpen && open.value.has(path);
    const depth = parent ? parent.depth + 1 : 0;
    const row: Row = { path, place, name: named.name, scope: named.scope, value: named.value, depth, isOpen, canOpen, ...marked(named, parent) };
    found.push(row);
    if (!isOpen) return;
    const contents = inside.value.get(path);
    if (!contents) {
      void load(row, open.value.get(path) ?? PAGE);
      return;
    }
    for (const entry of contents.entries) add(entry, row);
    if (contents.more > 0) {
      const more = { of: path, skip: contents.entries.length, count: contents.more };
      found.push({ path: `${path}\0…`, place, name: '…', scope: 'entry', depth: depth + 1, isOpen: false, canOpen: false, more });
    }
  };
  for (const named of shown?.variables ?? []) add(named, undefined);
  rows.value = found;
});

export function toggle(row: Row): void {
  const next = new Map(open.value);
  if (row.more) next.set(row.more.of, (next.get(row.more.of) ?? PAGE) + PAGE * 5);
  else if (!row.canOpen) return;
  else if (row.isOpen) next.delete(row.path);
  else next.set(row.path, PAGE);
  if (row.more) {
    const known = new Map(inside.value);
    known.delete(row.more.of);
    inside.value = known;
  }
  open.value = next;
}

async function load(row: Row, limit: number): Promise<void> {
  const own = generation;
  const { run, at, thread } = address.peek();
  try {
    const place = row.value?.object === undefined ? row.place : `#${row.value.object}`;
    const reply = await ask<PlaceJson>({ kind: 'inspect', place, depth: 1, limit, at, thread }, { run });
    if (own !== generation) return;
    const { entries = [], more = 0 } = reply.answer.place;
    inside.value = new Map(inside.value).set(row.path, { entries, more });
  } catch (error) {
    complain(error);
  }
}

/** As the paper marks it: red what changed, yellow what has something inside that changed. */
function marked(named: NamedJson, parent: Row | undefined): Pick<Row, 'mark' | 'old'> {
  if ((frame.value?.frame ?? 0) > 0) return {};
  const { changed, inside } = inCall.value;
  if (parent) {
    const keys = parent.value?.object === undefined ? undefined : inside.get(parent.value.object);
    if (keys?.has(named.name)) return { mark: 'changed' };
  } else if (changed.has(named.name)) return { mark: 'changed', old: changed.get(named.name) };
  return named.value.object !== undefined && inside.has(named.value.object) ? { mark: 'inside' } : {};
}

function childPlace(parent: Row, name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name)) return `${parent.place}.${name}`;
  return `${parent.place}[${name}]`;
}
