// What is asked of the debug adapter, beyond what VS Code asks it by itself.
'use strict';

const vscode = require('vscode');

/** The session in which something is looked at; tells the person if there is none. */
function current() {
  const session = vscode.debug.activeDebugSession;
  if (session?.type === 'wherefore') return session;
  void vscode.window.showInformationMessage('No recording is open: start a debug session of the type wherefore.');
  return undefined;
}

/** A question, and the document of its answer. The person sees that it is being answered, and why it is not. */
async function ask(question) {
  const session = current();
  if (!session) return undefined;
  try {
    return await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: 'Wherefore' },
      () => session.customRequest('wherefore.ask', question),
    );
  } catch (error) {
    void vscode.window.showWarningMessage(error.message);
    return undefined;
  }
}

module.exports = { current, ask };
