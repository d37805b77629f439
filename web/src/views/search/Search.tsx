// Search: as one types, over functions, lines, output and values.
import { useEffect, useRef, useState } from 'preact/hooks';
import { complain } from '../../state/said';
import { type Hit, search } from './searching';

let shown: HTMLDialogElement | null = null;

/** At once, not when the page is drawn next: what is typed right behind the key belongs into the field. */
export function openSearch(): void {
  if (!shown?.open) shown?.showModal();
  shown?.querySelector('input')?.select();
}

export function Search() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [hits, setHits] = useState<Hit[]>([]);
  const [active, setActive] = useState(0);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    shown = dialog.current;
  }, []);
  useEffect(() => {
    setActive(0);
    setBusy(text.length > 0);
    return search(text, (found, isAll) => {
      setHits(found);
      if (isAll) setBusy(false);
    }, complain);
  }, [text]);
  const choose = (hit: Hit | undefined): void => {
    if (!hit) return;
    dialog.current?.close();
    hit.act();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'ArrowDown') setActive(Math.min(hits.length - 1, active + 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(0, active - 1));
    else if (event.key === 'Enter') choose(hits[active]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="search" aria-label="search" onClick={(event) => event.target === dialog.current && dialog.current?.close()}>
      <input
        role="combobox"
        list={undefined}
        autocomplete="off"
        aria-expanded={hits.length > 0}
        aria-controls="search-hits"
        aria-activedescendant={hits[active] ? `hit-${active}` : undefined}
        aria-label="search functions, values, output and lines"
        placeholder="a function, a value, a line of output, text of the source, app.js:22"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="hits-list" id="search-hits" role="listbox" aria-label="found">
        {hits.map((hit, index) => (
          <div
            key={index}
            id={`hit-${index}`}
            role="option"
            aria-selected={index === active}
            class={`hit ${index === active ? 'active' : ''}`}
            ref={(element) => {
              if (index === active) element?.scrollIntoView({ block: 'nearest' });
            }}
            onClick={() => choose(hit)}
          >
            <span class={`badge hit-${hit.kind}`}>{hit.kind}</span>
            <code>{hit.text}</code>
            <span class="spring" />
            <span class="dim">{hit.where}</span>
          </div>
        ))}
        {text && hits.length === 0 ? <div class="empty">{isBusy ? 'looking …' : 'nothing found'}</div> : null}
      </div>
    </dialog>
  );
}
