// What failed: each test, as its runner said. A choice goes there and explains it.
import { useState } from 'preact/hooks';
import type { NumberedFailureJson } from '../../api/types';
import { go } from '../../state/address';
import { whyFailure } from '../../state/asking';
import { failures } from '../../state/run';
import { VirtualList } from '../../widgets/VirtualList';
import { counted } from '../../widgets/words';

export function Failures() {
  const all = failures.value;
  const [active, setActive] = useState(0);
  return (
    <div class="list">
      <div class="list-head">
        <span>failures</span>
        <span class="dim">{counted(all.length, 'failure')}</span>
      </div>
      <VirtualList
        label="failures"
        count={all.length}
        rowHeight={20}
        active={active}
        onActive={setActive}
        onChoose={(row) => all[row] && explainAt(all[row])}
        rowProps={() => ({})}
        empty="nothing failed"
      >
        {(row) => {
          const { number, test, message, point } = all[row]!;
          const file = test?.file ?? point.file;
          const line = test?.line ?? point.line;
          return (
            <>
              <span class="column-place dim">{file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}`}</span>
              <span class="badge">{number}</span>
              <span class="column-text">
                {test ? `${test.title}: ` : ''}
                {message.split('\n', 1)[0]}
              </span>
            </>
          );
        }}
      </VirtualList>
    </div>
  );
}

function explainAt({ number, kind, point }: NumberedFailureJson): void {
  // Of a test of which nothing was recorded there is no moment.
  if (kind === 'unrecorded') return;
  go({ at: point.point ?? 'crash', thread: String(point.thread) });
  void whyFailure(number);
}
