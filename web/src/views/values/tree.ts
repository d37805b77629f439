// Variables and what is inside of them, as rows. What is inside is asked for when somebody opens it, a page at a time.
import { computed, effect, signal } from '@preact/signals';
import { ask } from '../../api/client';
import type { ChildJson, ChildrenJson, ValueJson } from '../../api/types';
import { runName } from '../../state/address';
import { inCall } from '../../state/incall';
import { type Variable, frame, moment, variables } from '../../state/moment';
import { onlyMine } from '../../state/mine';
import { complain } from '../../state/said';
import { source } from '../../state/sources';

export interface Row {
  /** Unique among the rows, and the same at the next moment. */
  path: string;
  /** As the source would write it. */
  place: string;
  name: string;
  scope: string;
  value?: ValueJson;
  /** By which what is inside is asked for. */
  handle?: string;
  depth: number;
  isOpen: boolean;
  /** What the call that the moment is in did to it. */
  mark?: 'changed' | 'inside';
  /** Before the call changed it. */
  old?: string;
  /** So many more are there: this row asks for them. */
  more?: { of: Row; count?: number };
}

export const rows = signal<Row[]>([]);

interface Contents {
  entries: ChildJson[];
  all?: number;
  next?: string;
}

const PAGE = 100;
const open = signal(new Set<string>());
/** By the path that was opened, for the moment that is shown. */
const inside = signal(new Map<string, Contents>());
let generation = 0;

effect(() => {
  moment.value;
  variables.value;
  generation += 1;
  inside.value = new Map();
});

effect(() => {
  const found: Row[] = [];
  const add = (child: ChildJson, scope: string, parent: Row | undefined): void => {
    const place = parent ? childPlace(parent, child) : child.name;
    const path = parent ? `${parent.path}\0${child.name}` : child.name;
    const isOpen = child.handle !== undefined && open.value.has(path);
    const depth = parent ? parent.depth + 1 : 0;
    const row: Row = { path, place, name: child.name, scope, value: child.value, handle: child.handle, depth, isOpen, ...marked(child, parent) };
    found.push(row);
    if (!isOpen) return;
    const contents = inside.value.get(path);
    if (!contents) {
      void load(row);
      return;
    }
    for (const entry of contents.entries) add(entry, 'entry', row);
    if (contents.next) {
      const count = contents.all === undefined ? undefined : contents.all - contents.entries.length;
      found.push({ path: `${path}\0…`, place, name: '…', scope: 'entry', depth: depth + 1, isOpen: false, more: { of: row, count } });
    }
  };
  for (const variable of variables.value) if (!onlyMine.value || isMine(variable)) add(variable, variable.scope, undefined);
  rows.value = found;
});

/** What the module system gave to a file, and functions of the file, are of no interest to who looks for a value. */
const OF_MODULE = new Set(['require', 'module', 'exports', '__filename', '__dirname']);
function isMine({ name, scope, value }: Variable): boolean {
  if (OF_MODULE.has(name) || (scope === 'closure' && value.type === 'function')) return false;
  return scope !== 'closure' || !written.value || written.value.has(name);
}

/** The names in the source that is shown. A tool that loads a file wraps it, and the variables of the wrapper are not the person's. */
const written = computed(() => {
  const text = source.value;
  return text?.file === frame.value?.point?.file && !text?.problem ? new Set(text?.text.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)) : undefined;
});

export function toggle(row: Row): void {
  if (row.more) return void load(row.more.of);
  if (row.handle === undefined) return;
  const next = new Set(open.value);
  if (row.isOpen) next.delete(row.path);
  else next.add(row.path);
  open.value = next;
}

/** The first page of what is inside, or the next. */
async function load(row: Row): Promise<void> {
  const own = generation;
  const known = inside.peek().get(row.path);
  try {
    const question = { kind: 'children' as const, of: row.handle!, limit: known ? PAGE * 5 : PAGE, next: known?.next };
    const { answer } = await ask<ChildrenJson>(question, { run: runName.peek() });
    if (own !== generation) return;
    const contents = { entries: [...(known?.entries ?? []), ...answer.children], all: answer.all, next: answer.next };
    inside.value = new Map(inside.value).set(row.path, contents);
    if (contents.next !== undefined && contents.all === undefined) void count(row, contents.next);
  } catch (error) {
    complain(error);
  }
}

/** The first of a huge object come before it is known how many there are; what is behind them tells. */
async function count(row: Row, next: string): Promise<void> {
  const own = generation;
  try {
    const { answer } = await ask<ChildrenJson>({ kind: 'children', of: row.handle!, limit: 1, next }, { run: runName.peek() });
    const known = inside.peek().get(row.path);
    if (own === generation && known) inside.value = new Map(inside.value).set(row.path, { ...known, all: answer.all });
  } catch (error) {
    complain(error);
  }
}

/** As the paper marks it: red what changed, yellow what has something inside that changed. A moment that is a write stands for the write. */
function marked(child: ChildJson, parent: Row | undefined): Pick<Row, 'mark' | 'old'> & Partial<Row> {
  if ((frame.value?.frame ?? 0) > 0) return {};
  const { changed, inside, becomes } = inCall.value;
  if (becomes?.name === child.name && becomes.object === (parent ? parent.value?.object : undefined) && (parent === undefined || becomes.object !== undefined)) {
    return { mark: 'changed', old: child.value.text, value: becomes.value, handle: undefined };
  }
  if (parent) {
    const keys = parent.value?.object === undefined ? undefined : inside.get(parent.value.object);
    if (keys?.has(child.name)) return { mark: 'changed' };
  } else if (changed.has(child.name)) return { mark: 'changed', old: changed.get(child.name) };
  return child.value.object !== undefined && inside.has(child.value.object) ? { mark: 'inside' } : {};
}

/** What cannot be written in the source is named as it is shown. */
function childPlace(parent: Row, child: ChildJson): string {
  return `${parent.place}${child.access ?? `[${child.name}]`}`;
}
