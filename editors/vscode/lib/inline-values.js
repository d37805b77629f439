// Values at the ends of lines, as far as control has come in the function: VS Code evaluates the names and shows what they hold.
'use strict';

const vscode = require('vscode');

const LANGUAGES = ['javascript', 'javascriptreact', 'typescript', 'typescriptreact'];
const NAME = /(?<![\w$.'"`])[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?!\s*\(|[\w$])/g;
const WORDS = new Set(('as async await break case catch class const continue debugger default delete do else enum export extends false finally for from function get if implements import in '
  + 'instanceof interface let new null of return set static super switch this throw true try type typeof undefined var void while with yield').split(' '));
const MOST_LINES = 60;

function register(context) {
  const provider = {
    provideInlineValues(document, viewPort, { stoppedLocation }) {
      if (vscode.debug.activeDebugSession?.type !== 'wherefore') return [];
      const last = stoppedLocation.end.line;
      const first = Math.max(start(document, last), viewPort.start.line, last - MOST_LINES);
      const values = [];
      for (let line = first; line <= last; line++) values.push(...names(document, line));
      return values;
    },
  };
  context.subscriptions.push(vscode.languages.registerInlineValuesProvider(LANGUAGES, provider));
}

/** About where the function around a line begins: at the next line above that is further out and opens a block. */
function start(document, line) {
  const indent = document.lineAt(line).firstNonWhitespaceCharacterIndex;
  for (let above = line - 1; above >= 0; above--) {
    const { text, firstNonWhitespaceCharacterIndex, isEmptyOrWhitespace } = document.lineAt(above);
    if (!isEmptyOrWhitespace && firstNonWhitespaceCharacterIndex < indent && /(\)|=>)\s*(:[^{]*)?\{\s*$/.test(text) && !/^\s*(if|for|while|switch|else|catch|\})/.test(text)) return above;
  }
  return 0;
}

function names(document, line) {
  const text = withoutTexts(document.lineAt(line).text);
  const seen = new Set();
  const values = [];
  for (const match of text.matchAll(NAME)) {
    const [name] = match;
    if (seen.has(name) || WORDS.has(name.split('.')[0]) || text[match.index + name.length] === ':') continue;
    seen.add(name);
    const range = new vscode.Range(line, match.index, line, match.index + name.length);
    // A name that is not seen there is left out; only what has parts is evaluated.
    values.push(name.includes('.') ? new vscode.InlineValueEvaluatableExpression(range, name) : new vscode.InlineValueVariableLookup(range, name, true));
  }
  return values;
}

/** A line with blanks for what is in quotes; of a template, what stands in its braces stays. */
function withoutTexts(line) {
  const blank = (text) => ' '.repeat(text.length);
  const template = (text) => text.split(/(\$\{[^}]*\})/).map((part) => (part.startsWith('${') ? `  ${part.slice(2, -1)} ` : blank(part))).join('');
  return line.replace(/\/\/.*$/, '').replace(/(['"])(?:\\.|(?!\1).)*\1/g, blank).replace(/`(?:\\.|[^`])*`/g, template);
}

module.exports = { register };
