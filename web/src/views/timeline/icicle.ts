// Calls as an icicle: of each part of the run it is known which frames were open, and a frame that is open in neighbouring parts is
// one box.
import type { PartOfRunJson } from '../../api/types';

export interface Box {
  depth: number;
  from: number;
  to: number;
  frame: number;
  name: string;
}

export function boxesOf(parts: PartOfRunJson[]): Box[] {
  const done: Box[] = [];
  let open: Box[] = [];
  for (const part of parts) {
    const [from, to] = part.events;
    const next: Box[] = [];
    part.stack.forEach(([frame, name], depth) => {
      const known = open[depth];
      // Boxes below another frame are other boxes, even of the same function.
      const isSame = known?.frame === frame && next.length === depth && (depth === 0 || next[depth - 1]!.from <= known.from);
      if (known && isSame) {
        known.to = to;
        next.push(known);
      } else {
        const box = { depth, from, to, frame, name: shortName(name) };
        done.push(box);
        next.push(box);
      }
    });
    open = next;
  }
  return done;
}

/** The top level of a file is called as the file is: what tells it from others stands at its end. */
const shortName = (name: string): string => name.split('/').slice(-2).join('/');
