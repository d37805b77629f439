// The runs of the project.
import { useEffect, useState } from 'preact/hooks';
import { send } from '../../api/client';
import type { RunJson } from '../../api/types';
import { address, go } from '../../state/address';
import { growth, run } from '../../state/run';
import { job, recordAgain } from '../../state/job';
import { complain } from '../../state/said';
import { VirtualList } from '../../widgets/VirtualList';
import { shortNumber, shortSize } from '../../widgets/words';
import { Progress } from '../Progress';

export function Runs() {
  const [runs, setRuns] = useState<RunJson[] | undefined>(undefined);
  useEffect(() => {
    send<RunJson[]>('GET', '/api/runs').then(setRuns).catch(complain);
  }, [growth.value, address.value.run, job.value === undefined]);
  const all = runs ?? [];
  const here = all.findIndex((one) => one.number === run.value?.number);
  const [active, setActive] = useState<number | undefined>(undefined);
  return (
    <div class="list">
      <div class="list-head">
        <Again />
        <span class="spring" />
        <button class="quiet" onClick={() => go({ tab: 'compare' })} disabled={all.length < 2} title="what was different in another run">
          compare with another run
        </button>
      </div>
      <VirtualList
        label="runs"
        count={all.length}
        rowHeight={24}
        active={active ?? Math.max(0, here)}
        onActive={setActive}
        onChoose={(row) => all[row]?.number && !all[row].problem && go({ run: String(all[row].number), at: undefined, thread: undefined })}
        rowProps={(row) => ({ class: row === here ? 'at-here' : '' })}
        empty={runs ? 'this project has no runs' : 'looking …'}
      >
        {(row) => {
          const one = all[row]!;
          return (
            <>
              <span class="column-event dim">{one.number}</span>
              <code class="column-text">{one.command.join(' ')}</code>
              <span class={`column-outcome ${one.failed ? 'bad' : 'dim'}`}>{one.problem ?? one.outcome}</span>
              <span class="dim column-right">{shortNumber(one.events)} events</span>
              <span class="dim column-right">{shortSize(one.size)}</span>
              <span class="dim column-date">{new Date(one.start / 1000).toLocaleString()}</span>
            </>
          );
        }}
      </VirtualList>
    </div>
  );
}

function Again() {
  const current = job.value;
  const about = run.value;
  if (current) return <Progress of={current} />;
  return (
    <>
      <button disabled={!about || about.running} onClick={() => about && void recordAgain(address.value.run, about.command)}>
        Run it again
      </button>
      <span class="dim">{about ? about.command.join(' ') : ''}</span>
    </>
  );
}
