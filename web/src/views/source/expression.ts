// The expression that somebody points at: a name with what it is a property of, `cart.lines[0].price`.
import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

export interface Pointed {
  text: string;
  from: number;
  to: number;
}

export function expressionAt(state: EditorState, position: number): Pointed | undefined {
  const chosen = state.selection.main;
  if (!chosen.empty && position >= chosen.from && position <= chosen.to) {
    const text = state.sliceDoc(chosen.from, chosen.to).trim();
    if (text && !text.includes('\n')) return { text, from: chosen.from, to: chosen.to };
  }
  let node = syntaxTree(state).resolveInner(position, 1);
  if (!NAMES.has(node.name)) node = syntaxTree(state).resolveInner(position, -1);
  if (!NAMES.has(node.name)) return undefined;
  // A key of a literal is no place.
  if (node.name === 'PropertyDefinition') return undefined;
  const end = node.to;
  while (node.parent?.name === 'MemberExpression' && node.parent.to === end) node = node.parent;
  if (node.name === 'PropertyName') return undefined;
  return { text: state.sliceDoc(node.from, node.to), from: node.from, to: node.to };
}

const NAMES = new Set(['VariableName', 'VariableDefinition', 'PropertyName', 'PropertyDefinition', 'this', 'MemberExpression']);
