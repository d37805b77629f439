// The source at the moment.
import { useSignalEffect } from '@preact/signals';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';
import { address, go } from '../../state/address';
import { lastCondition, omissions, whyNot } from '../../state/asking';
import { cards } from '../../state/chain';
import { inCall } from '../../state/incall';
import { frame, here, moment, problem } from '../../state/moment';
import { hitOfLine } from '../../state/moving';
import { sources } from '../../state/run';
import { source } from '../../state/sources';
import { logAt } from '../../state/log';
import { openMenu } from '../../widgets/menu';
import { valueItems } from '../values/items';
import { makeEditor, stateOf, type Wishes } from './editor';
import { type Facts, NO_FACTS, setFacts } from './facts';
import { endings } from './endings';

const wishes: Wishes = {
  onLine(line, back) {
    const file = source.peek()?.file;
    if (file) void hitOfLine(file, line, back);
  },
  onAsk(line, pointed, x, y) {
    const file = source.peek()?.file ?? '';
    const hits = source.peek()?.hits.get(line);
    const ofLine = [
      ...(hits ? [
        { text: 'Last time before here', act: () => void hitOfLine(file, line, true) },
        { text: 'Next time after here', act: () => void hitOfLine(file, line, false) },
      ] : []),
      ...(here.peek()?.line === line ? [{ text: 'Why did control come here?', act: () => void lastCondition() }] : []),
      { text: pointed ? `Log ${pointed.text} at every hit of this line` : 'Log a value at every hit of this line …', act: () => logAt(file, line, pointed?.text) },
      { text: 'Why was this line not reached?', act: () => void whyNot(file, line) },
    ];
    const items = pointed ? [...valueItems(pointed.text, address.peek().frame), ...ofLine] : ofLine;
    openMenu(x, y, pointed?.text ?? `${file}:${line}`, items);
  },
};

export function Source() {
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | undefined>(undefined);
  const shown = useRef<{ file: string; text: string } | undefined>(undefined);

  useEffect(() => {
    editor.current = makeEditor(box.current!, wishes);
    draw();
    return () => editor.current?.destroy();
  }, []);

  const draw = (): void => {
    const view = editor.current;
    const text = source.value;
    if (!view || !text) return;
    const isOther = shown.current?.file !== text.file || shown.current.text !== text.text;
    if (isOther) {
      shown.current = text;
      view.setState(stateOf(text.text, text.file, wishes));
    }
    const facts = factsOf(text.file, text.hits);
    view.dispatch({ effects: setFacts.of(facts) });
    const line = address.value.line ?? facts.current?.line;
    if (line !== undefined && line <= view.state.doc.lines) show(view, line, isOther);
  };
  useSignalEffect(draw);

  const text = source.value;
  return (
    <section class="panel source" aria-label="source">
      <header class="panel-head">
        <FileChoice />
        <span class="dim">{moment.value?.point.function ?? ''}</span>
        <span class="spring" />
        <button class="quiet" title="why control came here (c)" onClick={() => void lastCondition()}>
          last condition
        </button>
        <HitWords />
      </header>
      {text?.problem ? (
        <div class="empty" role="status">
          The source of {text.file} cannot be shown: {text.problem}
        </div>
      ) : null}
      {!text && problem.value ? <div class="empty">No moment of this run can be shown: {problem.value}.</div> : null}
      <div class="editor" ref={box} hidden={!text || text.problem !== undefined} />
    </section>
  );
}

function HitWords() {
  const point = here.value;
  if (!point?.hit || !point.hits) return null;
  return (
    <span class="hit-words" title="which time this is executed, of how many">
      hit {point.hit.toLocaleString('en')} of {point.hits.toLocaleString('en')}
      <button class="quiet" aria-label="previous time of this line" title="previous time of this line ([)" onClick={() => void hitOfLine(point.file!, point.line!, true)}>
        ‹
      </button>
      <button class="quiet" aria-label="next time of this line" title="next time of this line (])" onClick={() => void hitOfLine(point.file!, point.line!, false)}>
        ›
      </button>
    </span>
  );
}

function FileChoice() {
  const shown = source.value?.file ?? '';
  const files = sources.value;
  const isKnown = files.some((one) => one.file === shown);
  if (!shown && files.length === 0) return null;
  return (
    <select class="files" aria-label="file" value={shown} onChange={(event) => go({ file: event.currentTarget.value })}>
      {isKnown ? null : <option value={shown}>{shown}</option>}
      {files.map((one) => (
        <option key={one.file} value={one.file}>
          {one.file}
        </option>
      ))}
    </select>
  );
}

function factsOf(file: string, hits: Map<number, number>): Facts {
  const point = here.value;
  const pins = new Map<number, number[]>();
  cards.value.forEach((card, index) => {
    if (card.point?.file === file && card.point.line) pins.set(card.point.line, [...(pins.get(card.point.line) ?? []), index + 1]);
  });
  const balloons: Facts['omissions'] = new Map();
  for (const one of omissions.value?.results ?? []) {
    const { file: where, line } = one.branch;
    if (where === file && line) balloons.set(line, [...(balloons.get(line) ?? []), one]);
  }
  const isHere = point?.file === file && point.line !== undefined;
  return {
    ...NO_FACTS,
    hits,
    pins,
    omissions: balloons,
    values: isHere ? endings(file, frame.value) : new Map(),
    ways: isHere ? inCall.value.ways : new Map(),
    ...(isHere ? { current: { line: point.line!, column: point.column, isTop: (frame.value?.frame ?? 0) === 0 } } : {}),
  };
}

/** The line comes into view, and nothing moves if it is there already. */
function show(view: EditorView, line: number, isOther: boolean): void {
  const { from } = view.state.doc.line(line);
  const block = view.lineBlockAt(from);
  const { scrollTop, clientHeight } = view.scrollDOM;
  const isSeen = !isOther && block.top >= scrollTop + 20 && block.bottom <= scrollTop + clientHeight - 40;
  if (!isSeen) view.dispatch({ effects: EditorView.scrollIntoView(from, { y: 'center' }) });
}

