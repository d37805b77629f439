import type { ComponentType } from 'preact';
import { TABS, type Tab, address, go } from '../../state/address';
import { failures } from '../../state/run';
import { Compare } from './Compare';
import { Calls } from './Calls';
import { CrashPath } from './CrashPath';
import { Events } from './Events';
import { Failures } from './Failures';
import { History } from './History';
import { Judge } from './Judge';
import { Log } from './Log';
import { Output } from './Output';
import { Runs } from './Runs';

const VIEWS: Record<Tab, ComponentType> = {
  calls: Calls,
  judge: Judge,
  events: Events,
  history: History,
  output: Output,
  'crash path': CrashPath,
  runs: Runs,
  compare: Compare,
  log: Log,
  failures: Failures,
};

export function Tabs() {
  const shown = address.value.tab;
  const View = VIEWS[shown];
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    const next = TABS[(TABS.indexOf(shown) + by + TABS.length) % TABS.length]!;
    go({ tab: next }, 'replace');
    document.getElementById(`tab-${next.replace(' ', '-')}`)?.focus();
  };
  return (
    <section class="panel bottom" aria-label="lists">
      <div class="tabs" role="tablist" aria-label="lists" onKeyDown={onKeyDown}>
        {TABS.map((tab, index) => (
          <button
            key={tab}
            id={`tab-${tab.replace(' ', '-')}`}
            role="tab"
            aria-selected={tab === shown}
            aria-controls="tab-panel"
            tabIndex={tab === shown ? 0 : -1}
            title={`${tab} (${index + 1})`}
            onClick={() => go({ tab })}
          >
            {tab}
            {tab === 'failures' && failures.value.length > 0 ? <span class="badge">{failures.value.length}</span> : null}
          </button>
        ))}
      </div>
      <div class="tab-panel" id="tab-panel" role="tabpanel" aria-labelledby={`tab-${shown.replace(' ', '-')}`}>
        <View />
      </div>
    </section>
  );
}
