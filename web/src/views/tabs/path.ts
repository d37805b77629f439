// The path from the birth of an object to the crash, as rows: what was repeated stands once, behind how often it happened.
import type { CrashPathJson, PathLabelJson, PathStepJson } from '../../api/types';

export interface PathRow {
  depth: number;
  label?: PathLabelJson;
  /** How often what follows happened. */
  times?: number;
}

export function rowsOf(answer: CrashPathJson): PathRow[] {
  const rows: PathRow[] = [];
  add(answer.path, 0, rows);
  return rows;
}

/** An entry behind its call, and an exit before its return, go without saying. */
function add(steps: PathStepJson[], inside: number, rows: PathRow[]): void {
  steps.forEach((step, index) => {
    if ('times' in step) {
      rows.push({ depth: inside + depthOf(step.body), times: step.times });
      add(step.body, inside + 1, rows);
      return;
    }
    const [before, behind] = [steps[index - 1], steps[index + 1]];
    const isEntered = step.label === 'enter' && before && !('times' in before) && before.callee === 'recorded';
    const isLeft = step.label === 'exit' && behind && !('times' in behind) && behind.label === 'return';
    if (!isEntered && !isLeft) rows.push({ depth: step.depth + inside, label: step });
  });
}

function depthOf(steps: PathStepJson[]): number {
  const first = steps[0];
  return first === undefined ? 0 : 'times' in first ? depthOf(first.body) : first.depth;
}

export function wordsOf(label: PathLabelJson): string {
  const source = label.point.text?.trim() ?? '';
  if (label.taken !== undefined) return `${source} — ${label.taken}`;
  if (label.callee === 'unknown') return `${source} — which function that was is not recorded`;
  if (label.callee && label.callee !== 'recorded' && label.callee !== 'foreign') return `${source} — ${label.callee} is not recorded`;
  if (label.registered?.file) return `${source} — registered at ${label.registered.file}:${label.registered.line}`;
  return source;
}
