// One question and its answer.
import { useState } from 'preact/hooks';
import { show } from '../../state/asking';
import { type Card as CardOf, change, move, remove } from '../../state/chain';
import { openMenuAt } from '../../widgets/menu';
import { Change, Value } from '../../widgets/Value';
import { placeOf } from '../../widgets/words';

export function Card({ card, number, depth, isChosen }: { card: CardOf; number: number; depth: number; isChosen: boolean }) {
  const [editing, setEditing] = useState<'name' | 'note' | undefined>(undefined);
  const menu = (element: Element): void =>
    openMenuAt(element, card.name ?? card.title, [
      { text: 'Name it', act: () => setEditing('name') },
      { text: card.note ? 'Change the note' : 'Add a note', act: () => setEditing('note') },
      { text: 'Move up', act: () => move(card.id, -1) },
      { text: 'Move down', act: () => move(card.id, 1) },
      { text: 'Remove', act: () => remove(card.id) },
    ]);
  return (
    <li
      class={`card card-${card.kind} ${isChosen ? 'chosen' : ''}`}
      style={{ '--depth': Math.min(depth, DEEPEST) }}
      aria-current={isChosen ? 'step' : undefined}
      aria-level={depth + 1}
    >
      <button class="card-main" onClick={() => show(card)}>
        <span class="card-title">
          <span class="pin">{number}</span>
          <span class="card-words">{card.name ?? card.title}</span>
          <span class="spring" />
          <span class="dim">
            {card.run === undefined ? '' : `run ${card.run} · `}
            {placeOf(card.point)}
          </span>
        </span>
        {card.point?.text ? <code class="card-source">{card.point.text.trim()}</code> : null}
        {card.text ? <span class="card-text">{card.text}</span> : null}
        {card.old && card.new ? (
          <Change old={card.old} now={card.new} />
        ) : card.new && card.kind !== 'failure' && !card.text?.includes(card.new.text) ? (
          <Value value={card.new} cut={100} />
        ) : null}
      </button>
      <button class="card-more" aria-label={`more about card ${number}`} aria-haspopup="menu" onClick={(event) => menu(event.currentTarget)}>
        ⋯
      </button>
      {card.note && editing !== 'note' ? <p class="card-note">{card.note}</p> : null}
      {editing ? <Editing what={editing} card={card} done={() => setEditing(undefined)} /> : null}
    </li>
  );
}

/** Deeper cards are not moved in further: their text needs the width. */
const DEEPEST = 10;

function Editing({ what, card, done }: { what: 'name' | 'note'; card: CardOf; done: () => void }) {
  const save = (text: string): void => {
    change(card.id, { [what]: text.trim() || undefined });
    done();
  };
  return (
    <textarea
      class="card-edit"
      aria-label={what === 'name' ? 'name of the card' : 'note'}
      rows={what === 'name' ? 1 : 3}
      ref={(element) => element?.focus()}
      defaultValue={card[what] ?? ''}
      onBlur={(event) => save(event.currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') done();
        if (event.key === 'Enter' && !event.shiftKey) save(event.currentTarget.value);
      }}
    />
  );
}
