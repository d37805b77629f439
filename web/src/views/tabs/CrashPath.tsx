// The way to the failure, in the order of time, walked with previous and next.
import { useEffect, useRef } from 'preact/hooks';
import { momentOf } from '../../api/types';
import { go } from '../../state/address';
import { why } from '../../state/asking';
import { type Card, cards } from '../../state/chain';
import { moment } from '../../state/moment';
import { failures } from '../../state/run';
import { grouped, placeOf } from '../../widgets/words';

/** Cards that explain the failure, oldest first. */
function wayOf(all: Card[]): Card[] {
  const way = all.filter((card) => card.point && (card.kind === 'hop' || card.kind === 'failure'));
  return way.sort((one, other) => one.point!.event - other.point!.event);
}

export function CrashPath() {
  const way = wayOf(cards.value);
  const now = moment.value?.point;
  const at = way.findIndex((card) => card.point!.event === now?.event && card.point!.line === now?.line);
  const current = useRef<HTMLLIElement>(null);
  useEffect(() => current.current?.scrollIntoView({ block: 'nearest' }), [at]);
  if (way.length === 0) {
    return (
      <div class="empty">
        <p>{failures.value[0]?.message ?? 'The run did not fail.'}</p>
        <button class="primary" onClick={() => void why()}>
          Find the way to it
        </button>
      </div>
    );
  }
  const walk = (to: number): void => {
    const card = way[Math.max(0, Math.min(way.length - 1, to))];
    if (card) go(momentOf(card.point!));
  };
  // Where the moment is not on the way, the walk goes on from its place in time.
  const before = at >= 0 ? at - 1 : way.findLastIndex((card) => card.point!.event < (now?.event ?? 0));
  const behind = at >= 0 ? at + 1 : way.findIndex((card) => card.point!.event > (now?.event ?? 0));
  return (
    <div class="list">
      <div class="list-head">
        <button onClick={() => walk(before)} disabled={before < 0}>
          ‹ previous
        </button>
        <button onClick={() => walk(behind)} disabled={behind < 0 || behind >= way.length}>
          next ›
        </button>
        <span class="dim">{at >= 0 ? `step ${at + 1} of ${way.length}` : `${way.length} steps`}</span>
      </div>
      <ol class="walk" tabIndex={0} aria-label="steps to the failure">
        {way.map((card, index) => (
          <li key={card.id} ref={index === at ? current : undefined} class={index === at ? 'at-here' : ''}>
            <button aria-current={index === at ? 'step' : undefined} onClick={() => walk(index)}>
              <span class="column-event dim">@{grouped(card.point!.event)}</span>
              <span class="column-place">{placeOf(card.point)}</span>
              <span class={card.kind === 'failure' ? 'bad' : ''}>{card.text ?? card.title}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
