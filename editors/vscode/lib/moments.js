// A moment that was opened from the tree: what happened there is written behind its line. The values beside it are those of
// inline-values.js.
'use strict';

const path = require('node:path');
const vscode = require('vscode');

class Moments {
  #style = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    after: { margin: '0 0 0 3em', color: new vscode.ThemeColor('editorCodeLens.foreground'), fontStyle: 'italic' },
  });
  #marked;
  #listening = vscode.window.onDidChangeVisibleTextEditors(() => this.#draw());

  mark(point, says) {
    this.#marked = point.file && { ...point, says };
    this.#draw();
  }

  clear() {
    this.#marked = undefined;
    this.#draw();
  }

  dispose() {
    this.#listening.dispose();
    this.#style.dispose();
  }

  #draw() {
    for (const editor of vscode.window.visibleTextEditors) {
      const isThere = this.#marked && `/${editor.document.uri.path}`.endsWith(`/${path.normalize(this.#marked.file)}`);
      const line = isThere && editor.document.lineCount >= this.#marked.line ? editor.document.lineAt(this.#marked.line - 1) : undefined;
      const decorations = line ? [{ range: line.range, renderOptions: { after: { contentText: this.#marked.says } } }] : [];
      editor.setDecorations(this.#style, decorations);
    }
  }
}

module.exports = { Moments };
