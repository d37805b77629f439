// The axis in milliseconds beside the one in events: marks at even distances, with about when the events there happened.
import type { Range } from './view';

export interface TimeMark {
  event: number;
  text: string;
}

type Known = [event: number, ms: number][];

/** About when an event happened; nothing where that is not known. */
export function timeAt(known: Known, event: number): number | undefined {
  const behind = known.findIndex(([at]) => at >= event);
  const after = known[behind];
  const before = known[behind < 0 ? known.length - 1 : Math.max(0, behind - 1)];
  if (!after || !before || after[0] === before[0]) return (after ?? before)?.[1];
  return before[1] + ((after[1] - before[1]) * (event - before[0])) / (after[0] - before[0]);
}

/** At so many places of the axis of events, evenly, about when that was: time stands still in one part and leaps in another. */
export function timeMarks(known: Known, range: Range, most: number): TimeMark[] {
  const width = (range.to - range.from) / most;
  const events = Array.from({ length: Math.max(0, most) }, (_, at) => range.from + width * at);
  const times = events.map((event) => timeAt(known, event));
  const [first, last] = [times[0], timeAt(known, range.to)];
  if (first === undefined || last === undefined || last <= first) return [];
  const marks: TimeMark[] = [];
  for (const [at, event] of events.entries()) {
    const text = textOf(times[at]!, (last - first) / most);
    if (marks.at(-1)?.text !== text) marks.push({ event, text });
  }
  return marks;
}

/** `1,250 ms`, with as many places as marks differ by. */
function textOf(ms: number, step: number): string {
  const places = Math.max(0, Math.min(3, -Math.floor(Math.log10(step))));
  return `${ms.toLocaleString('en', { minimumFractionDigits: places, maximumFractionDigits: places })} ms`;
}
