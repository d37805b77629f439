// The stack, innermost first, with those that led here and are on it no more.
import { address, go } from '../../state/address';
import { moment, moreFrames } from '../../state/moment';
import { placeOf } from '../../widgets/words';
import { VirtualList } from '../../widgets/VirtualList';

export function Stack() {
  const frames = moment.value?.frames ?? [];
  const chosen = Math.min(address.value.frame, Math.max(0, frames.length - 1));
  return (
    <>
      <header class="panel-head">
        <h2>stack</h2>
        <span class="dim">{frames.length > 1 ? `${frames.length.toLocaleString('en')} frames` : ''}</span>
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
          onActive={(frame) => go({ frame, file: undefined, line: undefined }, 'replace')}
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
