// What failed: each test, as its runner said. A choice goes there and explains it.
import { useState } from 'preact/hooks';
import type { NumberedFailureJson } from '../../api/types';
import { whyFailure } from '../../state/asking';
import { failure, failures, lookAt } from '../../state/run';
import { say } from '../../state/said';
import { VirtualList } from '../../widgets/VirtualList';
import { counted } from '../../widgets/words';

export function Failures() {
  const all = failures.value;
  const [active, setActive] = useState(0);
  return (
    <div class="list">
      <div class="list-head">
        <span>{counted(all.length, 'failure')}</span>
        <span class="dim">{all.length > 0 ? 'in the order of the runner; choose one to go there and explain it' : ''}</span>
      </div>
      <VirtualList
        label="failures"
        count={all.length}
        rowHeight={20}
        active={active}
        onActive={setActive}
        onChoose={(row) => all[row] && explain(all[row])}
        rowProps={(row) => ({ class: all[row]?.number === failure.value?.number ? 'at-here' : '' })}
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

function explain(chosen: NumberedFailureJson): void {
  lookAt(chosen);
  if (chosen.kind === 'unrecorded') say(`nothing of ${chosen.test?.title ?? 'it'} was recorded, so there is nothing to go to`);
  else void whyFailure(chosen.number);
}
