// Where the page opens: at the test that failed first, with the explanation already there.
import { effect } from '@preact/signals';
import { address, go, runName } from './address';
import { why } from './asking';
import { cards, chainRead } from './chain';
import { failure, opening } from './run';

/** The runs that were opened so; whoever goes back to one finds it as it was left. */
const opened = new Set<string | undefined>();

effect(() => {
  const first = failure.value;
  const run = runName.peek();
  if (first?.test === undefined || first.kind === 'unrecorded' || opened.has(run)) return;
  opened.add(run);
  const { at, file } = address.peek();
  if (at !== undefined || file !== undefined) return;
  go({ at: first.point.point ?? 'crash', thread: String(first.point.thread) }, 'replace');
  opening.value = chainRead().then(() => (runName.peek() === run && cards.peek().length === 0 ? why() : undefined));
});
