// What the page writes into the source: hits, what was never executed, where the moment is, values, pins, balloons. The editor is
// handed all of it at once, and draws it.
import { type Extension, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutter } from '@codemirror/view';
import type { OmissionJson } from '../../api/types';
import { shortNumber } from '../../widgets/words';
import { Balloon, Ending, Pin } from './inlays';

export interface LineValue {
  name: string;
  text: string;
  /** It holds something else by now. */
  changed?: boolean;
  /** Of the line that is executed next. */
  isNow?: boolean;
}

export interface Facts {
  hits: Map<number, number>;
  /** The line of the moment, or of the chosen frame. */
  current?: { line: number; column?: number; isTop: boolean };
  values: Map<number, LineValue[]>;
  /** Numbers of cards, by line. */
  pins: Map<number, number[]>;
  omissions: Map<number, OmissionJson[]>;
  /** Which way branches went, by line. */
  ways: Map<number, string>;
}

export const NO_FACTS: Facts = { hits: new Map(), values: new Map(), pins: new Map(), omissions: new Map(), ways: new Map() };

export const setFacts = StateEffect.define<Facts>();

const facts = StateField.define<Facts>({
  create: () => NO_FACTS,
  update(known, transaction) {
    for (const effect of transaction.effects) if (effect.is(setFacts)) return effect.value;
    return known;
  },
});

const never = Decoration.line({ class: 'cm-never' });
const current = Decoration.line({ class: 'cm-current', attributes: { 'aria-current': 'location' } });
const caller = Decoration.line({ class: 'cm-caller' });
const spot = Decoration.mark({ class: 'cm-spot' });

const drawn = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    const isNew = transaction.docChanged || transaction.effects.some((effect) => effect.is(setFacts));
    if (!isNew) return set;
    const known = transaction.state.field(facts);
    const doc = transaction.state.doc;
    const builder = new RangeSetBuilder<Decoration>();
    for (let number = 1; number <= doc.lines; number++) {
      const hits = known.hits.get(number);
      const isCurrent = known.current?.line === number;
      const values = known.values.get(number);
      const balloons = known.omissions.get(number);
      const pins = known.pins.get(number);
      if (hits !== 0 && !isCurrent && !values && !balloons && !pins) continue;
      const line = doc.line(number);
      if (hits === 0) builder.add(line.from, line.from, never);
      if (isCurrent) {
        builder.add(line.from, line.from, known.current!.isTop ? current : caller);
        const from = line.from + (known.current!.column ?? 1) - 1;
        const word = /^[\w$]+|^./.exec(doc.sliceString(from, Math.min(line.to, from + 80)));
        if (known.current!.column && word && from < line.to) builder.add(from, from + word[0].length, spot);
      }
      for (const pin of pins ?? []) builder.add(line.to, line.to, Decoration.widget({ widget: new Pin(pin), side: 1 }));
      for (const one of balloons ?? []) builder.add(line.to, line.to, Decoration.widget({ widget: new Balloon(one), side: 2 }));
      if (values) builder.add(line.to, line.to, Decoration.widget({ widget: new Ending(values), side: 3 }));
    }
    return builder.finish();
  },
  provide: (field) => EditorView.decorations.from(field),
});

class Hits extends GutterMarker {
  constructor(readonly n: number, readonly way: string | undefined) {
    super();
  }
  override eq(other: Hits): boolean {
    return other.n === this.n && other.way === this.way;
  }
  override toDOM(): Node {
    const element = document.createElement('span');
    element.className = this.n === 0 ? 'hits hits-none' : 'hits';
    element.textContent = this.n === 0 ? '–' : shortNumber(this.n);
    element.title = this.n === 0 ? 'never executed' : `executed ${this.n.toLocaleString('en')} times`;
    if (this.way) {
      element.dataset.way = this.way;
      element.title += `; ${this.way}`;
    }
    return element;
  }
}

class Arrow extends GutterMarker {
  override toDOM(): Node {
    const element = document.createElement('span');
    element.className = 'here';
    element.textContent = '▶';
    return element;
  }
}
const arrow = new Arrow();

export function shownFacts(): Extension {
  return [
    facts,
    drawn,
    gutter({
      class: 'cm-hits',
      lineMarker(view, line) {
        const number = view.state.doc.lineAt(line.from).number;
        const known = view.state.field(facts);
        const hits = known.hits.get(number);
        return hits === undefined ? null : new Hits(hits, known.ways.get(number));
      },
      lineMarkerChange: (update) => update.transactions.some((one) => one.effects.some((effect) => effect.is(setFacts))),
      initialSpacer: () => new Hits(8_888, undefined),
    }),
    gutter({
      class: 'cm-here',
      lineMarker(view, line) {
        const known = view.state.field(facts);
        return known.current?.line === view.state.doc.lineAt(line.from).number ? arrow : null;
      },
      lineMarkerChange: (update) => update.transactions.some((one) => one.effects.some((effect) => effect.is(setFacts))),
      initialSpacer: () => arrow,
    }),
  ];
}
