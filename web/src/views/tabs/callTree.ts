// The call tree, as far as it was opened. What a call called is asked for a page at a time.
import { computed, effect, signal } from '@preact/signals';
import { ask } from '../../api/client';
import type { CallJson, CallsJson } from '../../api/types';
import { runName } from '../../state/address';
import { moment, thread } from '../../state/moment';
import { isLibrary, onlyMine } from '../../state/mine';
import { growth } from '../../state/run';
import { complain } from '../../state/said';

export interface CallNode {
  /** Nothing: the thread itself. */
  call?: CallJson;
  key: string;
  depth: number;
  isOpen: boolean;
  children?: CallNode[];
  hasMore: boolean;
  /** Where the list of its children goes on. */
  next?: string;
  /** The page that is on its way. */
  loading?: Promise<void>;
}

export interface CallRow {
  node: CallNode;
  /** This row asks for the next page of what the node called. */
  isMore: boolean;
}

const PAGE = 200;
let root = fresh();
export const rows = signal<CallRow[]>([]);
export const isLoading = signal(false);
export const problem = signal<string | undefined>(undefined);

function fresh(): CallNode {
  return { key: 'root', depth: -1, isOpen: true, hasMore: true };
}

const shownThread = computed(() => thread.value?.thread);

effect(() => {
  const shown = shownThread.value;
  runName.value;
  growth.value;
  onlyMine.value;
  root = fresh();
  rows.value = [];
  if (shown !== undefined) void load(root).then(() => reveal());
});

effect(() => {
  moment.value;
  void reveal();
});

export function toggle(row: CallRow): void {
  if (row.isMore) {
    void load(row.node);
    return;
  }
  row.node.isOpen = !row.node.isOpen;
  if (row.node.isOpen && !row.node.children) void load(row.node);
  else flatten();
}

/** Whoever asks while the page is on its way waits for the same page. */
function load(node: CallNode): Promise<void> {
  node.loading ??= loadPage(node).finally(() => (node.loading = undefined));
  return node.loading;
}

async function loadPage(node: CallNode): Promise<void> {
  isLoading.value = true;
  const own = root;
  const of = node.call ? { at: `@${node.call.point.event}`, of_point: true } : {};
  try {
    const reply = await ask<CallsJson>(
      { kind: 'calls', depth: 1, own: onlyMine.peek(), next: node.next, limit: PAGE, thread: String(thread.peek()?.thread ?? 1), ...of },
      { run: runName.peek() },
    );
    if (own !== root) return;
    const made = reply.answer.calls.map((call) => ({
      call,
      key: `${call.point.thread}:${call.point.event}`,
      depth: node.depth + 1,
      isOpen: false,
      hasMore: true,
    }));
    node.children = [...(node.children ?? []), ...made];
    // Where there is one call only, what it called is what a person wants to see.
    const isOnly = node === root && made.length === 1 && !reply.answer.more;
    if (isOnly) made[0]!.isOpen = true;
    node.hasMore = reply.answer.more;
    node.next = reply.answer.next;
    if (isOnly) void load(made[0]!);
    problem.value = undefined;
  } catch (error) {
    if (node === root) problem.value = (error as Error).message;
    else complain(error);
  } finally {
    isLoading.value = false;
    if (own === root) flatten();
  }
}

function flatten(): void {
  const found: CallRow[] = [];
  const add = (node: CallNode): void => {
    for (const child of node.children ?? []) {
      found.push({ node: child, isMore: false });
      if (child.isOpen) add(child);
    }
    if (node.children && node.hasMore) found.push({ node, isMore: true });
  };
  add(root);
  rows.value = found;
}

/** The row of the call that the moment is in. */
export const current = signal<string | undefined>(undefined);
const MOST_PAGES = 5;
/** Deeper calls are not opened by themselves: each level is a question. */
const MOST_LEVELS = 60;

/** Opens the way to the call that the moment is in: a call holds the moment if it was entered before it and the next was not. */
async function reveal(): Promise<void> {
  const looked = moment.peek();
  if (!looked || looked.point.thread !== thread.peek()?.thread) return;
  const depth = Math.min(MOST_LEVELS, looked.frames.filter((frame) => !frame.async && !(onlyMine.peek() && isLibrary(frame.point?.file))).length);
  const event = looked.point.event;
  let node = root;
  for (let level = 0; level < depth; level++) {
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const last = node.children?.at(-1);
      if (node.children && (!node.hasMore || (last && last.call!.point.event > event))) break;
      const before = node.children?.length ?? -1;
      await load(node);
      if (moment.peek() !== looked || (node.children?.length ?? -1) === before) break;
    }
    if (moment.peek() !== looked) return;
    const inside = node.children?.findLast((child) => child.call!.point.event <= event);
    if (!inside) break;
    if (level > 0) node.isOpen = true;
    node = inside;
  }
  current.value = node === root ? undefined : node.key;
  flatten();
}
