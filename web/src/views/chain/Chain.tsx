// The chain: from the failure back to the defect.
import { useEffect, useRef } from 'preact/hooks';
import { address } from '../../state/address';
import { failure as looked } from '../../state/run';
import { asking, mark, why } from '../../state/asking';
import { added, chosen, clear, placed } from '../../state/chain';
import { job } from '../../state/job';
import { moment } from '../../state/moment';
import { openMenuAt } from '../../widgets/menu';
import { Progress } from '../Progress';
import { Card } from './Card';
import { downloadMarkdown, downloadPicture } from './export';

export function Chain() {
  const all = placed.value;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => bringIn(list.current!), [added.value, chosen.value]);
  return (
    <section class="panel chain" aria-label="chain">
      <header class="panel-head">
        <h2>chain</h2>
        <span class="spring" />
        <button class="quiet" onClick={() => void why()} title="explain the failure, and fill the chain (Shift+W)">
          why?
        </button>
        <button class="quiet" onClick={mark} disabled={!moment.value} title="keep this moment (m)">
          keep
        </button>
        <button
          class="quiet"
          aria-label="more about the chain"
          aria-haspopup="menu"
          onClick={(event) =>
            openMenuAt(event.currentTarget, 'chain', [
              { text: 'Export as Markdown', act: downloadMarkdown },
              { text: 'Export as a picture', act: downloadPicture },
              { text: 'Remove all cards', act: clear },
            ])
          }
        >
          ⋯
        </button>
      </header>
      <ol class="cards" ref={list} aria-label="questions and answers" tabIndex={0}>
        {all.map(({ card, depth }, index) => (
          <Card key={card.id} card={card} number={index + 1} depth={depth} isChosen={card.id === chosen.value} />
        ))}
        {all.length === 0 ? <Beginning /> : null}
      </ol>
      {job.value && address.value.tab !== 'runs' ? (
        <div class="asking again">
          <Progress of={job.value} />
        </div>
      ) : null}
      {asking.value ? (
        <div class="asking" role="status">
          <span class="spinner" aria-hidden="true" /> {asking.value} …
        </div>
      ) : null}
    </section>
  );
}

/** Scrolls to the card that is looked at, and to as much of what hangs on it as there is place for. The page itself stays where it is. */
function bringIn(list: HTMLElement): void {
  const card = list.querySelector<HTMLElement>('.card.chosen');
  if (!card) return;
  // Places are those in the list, which is what its cards are positioned in.
  const top = card.offsetTop - MARGIN;
  const last = lastInside(card);
  const bottom = last.offsetTop + last.offsetHeight + MARGIN;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = Math.min(top, bottom - list.clientHeight);
}

/** The last of the cards that hang on a card, or the card itself. */
function lastInside(card: HTMLElement): HTMLElement {
  const levelOf = (one: HTMLElement): number => Number(one.getAttribute('aria-level'));
  let last = card;
  for (let next = card.nextElementSibling; next instanceof HTMLElement && levelOf(next) > levelOf(card); next = next.nextElementSibling) last = next;
  return last;
}

const MARGIN = 6;

function Beginning() {
  const failure = looked.value;
  return (
    <li class="beginning">
      {failure ? <p class="failure">{failure.message}</p> : null}
      <p>
        Point at what looks wrong and ask: the <b>?</b> of a value, or a right click in the source. Each answer becomes a card here.
      </p>
      <button class="primary" onClick={() => void why()}>
        {failure ? 'Why did it fail?' : 'Explain the end'}
      </button>
    </li>
  );
}
