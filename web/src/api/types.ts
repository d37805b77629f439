// The documents of the server, as `crates/answer-json` makes them. What only the page's own server sends is described here.
import type { AskedJson, PointJson } from '../../../docs/answers';

export type * from '../../../docs/answers';

/** A question, with the run that it is asked of. */
export type Question = AskedJson;

/** A line of the list of runs. */
export interface RunJson {
  number: number | null;
  command: string[];
  start: number;
  outcome: string;
  failed: boolean;
  running: boolean;
  cancelled: boolean;
  size: number;
  events: number;
  problem: string | null;
}

/** A moment as the address names it. */
export interface Moment {
  at?: string;
  thread?: string;
}

/** The name under which a point is asked about: its number where it has one, because a crash is behind its event. */
export function momentOf(point: PointJson): Moment {
  return { at: point.point ?? `@${point.event}`, thread: String(point.thread) };
}
