// The editor that shows a source. It is read only; a click leads to the last time that the line was executed.
import { javascript } from '@codemirror/lang-javascript';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { EditorView, drawSelection, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { ask } from '../../api/client';
import type { EvalJson } from '../../api/types';
import { address } from '../../state/address';
import { type Pointed, expressionAt } from './expression';
import { shownFacts } from './facts';

export interface Wishes {
  /** The line was clicked, or Enter pressed on it. */
  onLine(line: number, back: boolean): void;
  /** What can be asked about an expression, or about a line where none is pointed at. */
  onAsk(line: number, pointed: Pointed | undefined, x: number, y: number): void;
}

export function makeEditor(parent: HTMLElement, wishes: Wishes): EditorView {
  return new EditorView({ parent, state: stateOf('', 'source', wishes) });
}

/** The state for a text. The editor is made once; each file has a state of its own. */
export function stateOf(text: string, file: string, wishes: Wishes): EditorState {
  const lineAt = (view: EditorView, position: number): number => view.state.doc.lineAt(position).number;
  const atCursor = (view: EditorView): boolean => {
    const head = view.state.selection.main.head;
    const box = view.coordsAtPos(head);
    wishes.onAsk(lineAt(view, head), expressionAt(view.state, head), box?.left ?? 0, box?.bottom ?? 0);
    return true;
  };
  const isTyped = /\.[mc]?tsx?$/.test(file);
  return EditorState.create({
    doc: text,
    extensions: [
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ 'aria-label': `source of ${file}`, 'aria-readonly': 'true', tabindex: '0' }),
      lineNumbers({
        domEventHandlers: {
          click(view, line, event) {
            wishes.onLine(lineAt(view, line.from), !(event as MouseEvent).altKey);
            return true;
          },
        },
      }),
      shownFacts(),
      drawSelection(),
      // A text of megabytes is shown, and not parsed.
      text.length < LARGEST_PARSED ? javascript({ typescript: isTyped, jsx: /x$/.test(file) || !isTyped }) : [],
      syntaxHighlighting(colours),
      hoverTooltip(valueTooltip, { hoverTime: 250 }),
      keymap.of([
        { key: 'Enter', run: (view) => (wishes.onLine(lineAt(view, view.state.selection.main.head), true), true) },
        { key: 'Shift-Enter', run: (view) => (wishes.onLine(lineAt(view, view.state.selection.main.head), false), true) },
        { key: 'Mod-Enter', run: atCursor },
        { key: 'a', run: atCursor },
      ]),
      EditorView.domEventHandlers({
        click(event, view) {
          if (event.button !== 0 || !view.state.selection.main.empty || event.detail > 1) return false;
          const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
          if (position === null) return false;
          wishes.onLine(lineAt(view, position), !event.altKey);
          return false;
        },
        contextmenu(event, view) {
          const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
          if (position === null) return false;
          event.preventDefault();
          wishes.onAsk(lineAt(view, position), expressionAt(view.state, position), event.clientX, event.clientY);
          return true;
        },
      }),
    ],
  });
}

const LARGEST_PARSED = 1_500_000;

/** What the expression under the mouse is at the moment that is shown; nothing where it means nothing there. */
async function valueTooltip(view: EditorView, position: number) {
  const pointed = expressionAt(view.state, position);
  if (!pointed) return null;
  const { run, at, thread } = address.peek();
  try {
    const reply = await ask<EvalJson>({ kind: 'eval', expression: pointed.text, at, thread }, { run });
    return {
      pos: pointed.from,
      end: pointed.to,
      create() {
        const dom = document.createElement('div');
        dom.className = 'cm-value';
        dom.textContent = `${pointed.text} = ${reply.answer.value.text}`;
        return { dom };
      },
    };
  } catch {
    return null;
  }
}

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.controlKeyword, tags.definitionKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.comment], color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.function(tags.definition(tags.variableName))], color: 'var(--code-function)' },
  { tag: [tags.className, tags.typeName], color: 'var(--code-type)' },
  { tag: [tags.propertyName], color: 'var(--code-property)' },
  { tag: [tags.operator, tags.punctuation, tags.bracket], color: 'var(--code-operator)' },
]);
