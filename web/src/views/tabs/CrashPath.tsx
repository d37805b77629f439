// The way to the failure, walked with previous and next.
import { momentOf } from '../../api/types';
import { go } from '../../state/address';
import { cards } from '../../state/chain';
import { why } from '../../state/asking';

export function CrashPath() {
  const way = cards.value.filter((card) => card.point).sort((one, other) => one.point!.event - other.point!.event);
  if (way.length === 0) {
    return (
      <div class="empty">
        <button class="primary" onClick={() => void why()}>
          Find the way to the failure
        </button>
      </div>
    );
  }
  return (
    <ol class="walk">
      {way.map((card) => (
        <li key={card.id}>
          <button onClick={() => go(momentOf(card.point!))}>{card.text ?? card.title}</button>
        </li>
      ))}
    </ol>
  );
}
