// What the page shows is in its address, so that back and forward work, and an address can be sent to somebody.
import { computed, signal } from '@preact/signals';
import type { Moment } from '../api/types';

export const TABS = ['calls', 'judge', 'events', 'history', 'output', 'crash path', 'runs', 'compare', 'log', 'failures'] as const;
export type Tab = (typeof TABS)[number];

export interface Address extends Moment {
  /** Nothing: the run that the server was started for. */
  run?: string;
  frame: number;
  /** A file that is looked at, though the moment is elsewhere. */
  file?: string;
  line?: number;
  tab: Tab;
  /** The place whose history is shown, and the moment at which it is named so. */
  about?: string;
  aboutAt?: string;
  aboutThread?: string;
  /** The line whose hits are logged, what is logged of each, and which of them. */
  logAt?: string;
  logWhat?: string;
  logWhen?: string;
  /** The run that this one is compared with. */
  compare?: string;
}

export const address = signal<Address>(read());

/** The run that is shown: most changes of the address do not change it. */
export const runName = computed(() => address.value.run);

/** Goes there. A new moment has its own frame and file. */
export function go(to: Partial<Address>, how: 'push' | 'replace' = 'push'): void {
  const moves = 'at' in to || 'thread' in to || 'run' in to;
  const base = moves ? { ...address.value, frame: 0, file: undefined, line: undefined } : address.value;
  const next: Address = { ...base, ...to };
  const text = written(next);
  if (text === location.search) return;
  if (how === 'push') history.pushState(null, '', text || '/');
  else history.replaceState(null, '', text || '/');
  address.value = next;
}

addEventListener('popstate', () => {
  address.value = read();
});

function read(): Address {
  const query = new URLSearchParams(location.search);
  const text = (name: string): string | undefined => query.get(name) ?? undefined;
  const number = (name: string): number | undefined => {
    const value = Number(query.get(name));
    return Number.isInteger(value) && value > 0 ? value : undefined;
  };
  return {
    run: text('run'),
    at: text('at'),
    thread: text('thread'),
    frame: number('frame') ?? 0,
    file: text('file'),
    line: number('line'),
    tab: TABS.find((tab) => tab === text('tab')) ?? 'calls',
    about: text('about'),
    aboutAt: text('aboutAt'),
    aboutThread: text('aboutThread'),
    logAt: text('logAt'),
    logWhat: text('logWhat'),
    logWhen: text('logWhen'),
    compare: text('compare'),
  };
}

function written(to: Address): string {
  const query = new URLSearchParams();
  for (const name of ['run', 'at', 'thread', 'frame', 'file', 'line', 'tab', 'about', 'aboutAt', 'aboutThread', 'logAt', 'logWhat', 'logWhen', 'compare'] as const) {
    const value = to[name];
    if (value !== undefined && value !== 0 && !(name === 'tab' && value === 'calls')) query.set(name, String(value));
  }
  const text = query.toString().replaceAll('%40', '@').replaceAll('%3A', ':').replaceAll('%2F', '/');
  return text ? `?${text}` : '';
}
