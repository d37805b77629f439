// The stack, innermost first, with those that led here and are on it no more.
import { address, go } from '../../state/address';
import { isLibrary, onlyMine } from '../../state/mine';
import { moment, moreFrames } from '../../state/moment';
import { counted, placeOf } from '../../widgets/words';
import { VirtualList } from '../../widgets/VirtualList';

export function Stack() {
  const all = moment.value?.frames ?? [];
  // The chosen one stays, whoever it is of.
  const frames = onlyMine.value ? all.filter((frame, at) => at === address.value.frame || !isLibrary(frame.point?.file)) : all;
  const chosen = Math.max(0, frames.indexOf(all[address.value.frame]!));
  return (
    <>
      <header class="panel-head">
        <h2>stack</h2>
        <span class="dim">{frames.length > 1 ? `${frames.length.toLocaleString('en')} frames` : ''}</span>
        {frames.length < all.length ? <span class="dim">{counted(all.length - frames.length, 'frame')} of libraries left out</span> : null}
        {moment.value?.next ? (
          <button class="quiet" onClick={() => void moreFrames()}>
            outer ones are left out: show more
          </button>
        ) : null}
      </header>
      <div class="stack" style={{ '--rows': Math.min(7, Math.max(1, frames.length)) }}>
        <VirtualList
          label="stack"
          count={frames.length}
          rowHeight={22}
          active={chosen}
          onActive={(row) => go({ frame: all.indexOf(frames[row]!), file: undefined, line: undefined }, 'replace')}
          empty="nothing is on the stack"
        >
          {(row) => {
            const frame = frames[row];
            if (!frame) return null;
            const awaited = frame.async === 'called' ? 'waited for it' : frame.async ? 'handed out the function' : undefined;
            return (
              <>
                <span class="frame-number dim">{frame.frame}</span>
                <span class="frame-name">{frame.function ?? 'top level'}</span>
                {awaited ? <span class="badge">{awaited}</span> : null}
                <span class="spring" />
                <span class="dim">{placeOf(frame.point)}</span>
              </>
            );
          }}
        </VirtualList>
      </div>
    </>
  );
}
