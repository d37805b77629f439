// What the call did so far that the moment is in: which way its branches went, what its lines wrote, which variables and objects it
// changed. It follows from the events of the call, without those of what it called.
import { computed, effect, signal } from '@preact/signals';
import { Slot, ask } from '../api/client';
import type { EventJson, EventsJson, ValueJson } from '../api/types';
import { momentOf } from '../api/types';
import { address } from './address';
import { here, moment } from './moment';
import { complain } from './said';

export interface InCall {
  /** By line: which way its last branch went. */
  ways: Map<number, string>;
  /** By line: what it wrote last, by name. */
  written: Map<number, Map<string, EventJson>>;
  /** Variables that the call changed, with the value before its first write where that is known. */
  changed: Map<string, string | undefined>;
  /** Objects of which the call changed something, with the keys. */
  inside: Map<number, Set<string>>;
  /** The moment is a write: what is written, and of which object if it is no variable. */
  becomes?: { name: string; object?: number; value: ValueJson };
}

const NOTHING: InCall = { ways: new Map(), written: new Map(), changed: new Map(), inside: new Map() };
const events = signal<EventJson[]>([]);
const slot = new Slot();
/** Of a call with more events the first are known: values at the ends of lines are left out then. */
const MOST = 3_000;

/** The frame that is asked about changes seldom, though the moment moves inside of it. */
const asked = computed(() => {
  const point = here.value;
  return point ? JSON.stringify({ ...momentOf(point), run: address.value.run }) : undefined;
});

effect(() => {
  if (!asked.value) return;
  const { at, thread, run } = JSON.parse(asked.value) as { at: string; thread: string; run?: string };
  void slot
    .run((signal) => ask<EventsJson>({ kind: 'events', limit: MOST, at, thread }, { run, signal }))
    .then((reply) => {
      if (reply) events.value = reply.answer.events;
    })
    .catch((error) => {
      events.value = [];
      if (error.id === 'away') complain(error);
    });
});

/** Of `++` and `--` the value is the one before. */
const isWrite = (event: EventJson): boolean =>
  event.value !== undefined && (event.object !== undefined || event.kind === 'Var') && /^(Var|Put|PutComputed|Field)$/.test(event.kind);

export const inCall = computed<InCall>(() => {
  const now = moment.value?.point.event;
  const all = events.value;
  if (now === undefined || (all.length >= MOST && all.at(-1)!.event < now)) return NOTHING;
  const found: InCall = { ways: new Map(), written: new Map(), changed: new Map(), inside: new Map() };
  const before = new Map<string, string>();
  for (const event of all) {
    const name = event.names?.[0] ?? event.key?.text;
    if (event.event === now && isWrite(event) && name !== undefined) found.becomes = { name, object: event.object, value: event.value! };
    if (event.event >= now) break;
    if (event.kind === 'Branch' && event.line && event.value) found.ways.set(event.line, event.value.text);
    if (!event.value || name === undefined) continue;
    // Of `++` and `--` the value is the one before.
    const isStep = /(Increment|Decrement)$/.test(event.kind);
    if (event.object !== undefined) {
      found.inside.set(event.object, (found.inside.get(event.object) ?? new Set()).add(name));
      if (isStep) continue;
    } else if (isStep) {
      if (!found.changed.has(name)) found.changed.set(name, before.get(name) ?? event.value.text);
      continue;
    } else if (event.kind === 'Var' || event.kind === 'Param') {
      const old = before.get(name);
      if (old !== undefined && !found.changed.has(name)) found.changed.set(name, old);
      if (old === undefined) before.set(name, event.value.text);
    } else continue;
    if (event.line) found.written.set(event.line, (found.written.get(event.line) ?? new Map<string, EventJson>()).set(name, event));
  }
  return found;
});
