// The chain: from the failure back to the defect.
import { useEffect, useRef } from 'preact/hooks';
import { address } from '../../state/address';
import { failures } from '../../state/run';
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

/** Scrolls to the card that is looked at, if it is not seen as a whole. The page itself stays where it is. */
function bringIn(list: HTMLElement): void {
  const card = list.querySelector<HTMLElement>('.card.chosen');
  if (!card) return;
  const top = card.offsetTop - list.offsetTop;
  const bottom = top + card.offsetHeight;
  const isBelow = bottom > list.scrollTop + list.clientHeight;
  if (top < list.scrollTop || (isBelow && card.offsetHeight > list.clientHeight)) list.scrollTop = top - MARGIN;
  else if (isBelow) list.scrollTop = bottom - list.clientHeight + MARGIN;
}

const MARGIN = 6;

function Beginning() {
  const failure = failures.value[0];
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
