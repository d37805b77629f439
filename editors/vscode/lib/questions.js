// Questions by pointing: at a variable, at a line, at what failed. Their answers become the tree.
'use strict';

const vscode = require('vscode');
const { ask, current } = require('./session');
const trees = require('./trees');

function register(context, chain, moments) {
  const on = (name, run) => context.subscriptions.push(vscode.commands.registerCommand(`wherefore.${name}`, run));
  const show = async (question, tree) => {
    const document = await ask(question);
    if (!document) return;
    for (const note of document.notes ?? []) void vscode.window.setStatusBarMessage(note, 8000);
    chain.show(document.answer.kind === 'none' ? trees.none(document.answer) : tree(document.answer));
    await vscode.commands.executeCommand('wherefore.chain.focus');
  };

  on('why', async () => {
    if (vscode.debug.activeDebugSession?.type !== 'wherefore') return vscode.commands.executeCommand('wherefore.whyTerminal');
    await show({ kind: 'why', ofFailure: true }, trees.why);
  });
  on('whereFrom', async (variable) => {
    const place = await placeOf(variable);
    if (place) await show({ kind: 'why', place, ...(await where()) }, trees.why);
  });
  on('history', async (variable) => {
    const place = await placeOf(variable);
    if (place) await show({ kind: 'history', place, limit: 200, ...(await where()) }, trees.history);
  });
  on('omissions', async (variable) => {
    const place = await placeOf(variable);
    if (place) await show({ kind: 'omissions', place, ...(await where()) }, trees.omissions);
  });
  on('whyHere', async () => {
    const line = lineOf();
    if (line) await show({ kind: 'why', at: `${line.file}:${line.line}` }, trees.why);
  });
  on('whyNot', async () => {
    const line = lineOf();
    if (line) await show({ kind: 'why-not', ...line }, trees.omissions);
  });
  on('openPoint', async (node) => {
    if (!node?.point) return;
    await current()?.customRequest('wherefore.go', { at: `@${node.point.event}`, thread: node.point.thread });
    moments.mark(node.point, node.says);
  });
  for (const step of ['stepBackIn', 'stepBackOut']) {
    on(step, () => current()?.customRequest(`wherefore.${step}`, { threadId: vscode.debug.activeStackItem?.threadId ?? 1 }));
  }
}

/** The place that a variable view shows, or the word under the cursor. */
async function placeOf(context) {
  const named = context?.variable?.evaluateName;
  if (named) return named;
  const editor = vscode.window.activeTextEditor;
  const range = editor?.document.getWordRangeAtPosition(editor.selection.active, /[\w$.[\]]+/);
  const value = range && editor.document.getText(range);
  return await vscode.window.showInputBox({ prompt: 'Which place?', value, placeHolder: 'cart.total' });
}

/** Seen from the frame that is selected. */
async function where() {
  const frameId = vscode.debug.activeStackItem?.frameId;
  return frameId === undefined ? {} : { frameId };
}

function lineOf() {
  const editor = vscode.window.activeTextEditor;
  return editor && { file: editor.document.uri.fsPath, line: editor.selection.active.line + 1 };
}

module.exports = { register };
