// Why did this fail? — for a test: its command is recorded, and opened where it failed.
'use strict';

const vscode = require('vscode');

function register(context) {
  context.subscriptions.push(vscode.commands.registerCommand('wherefore.whyTest', async (item) => {
    const test = item?.test ?? item;
    const folder = test?.uri ? vscode.workspace.getWorkspaceFolder(test.uri) : vscode.workspace.workspaceFolders?.[0];
    const template = vscode.workspace.getConfiguration('wherefore', test?.uri).get('testCommand');
    const relativeFile = test?.uri ? vscode.workspace.asRelativePath(test.uri, false) : '';
    const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
    const command = template.replaceAll('${relativeFile}', quoted(relativeFile)).replaceAll('${testName}', quoted(test?.label ?? ''));
    await record(command, folder);
  }));
}

/** Records a command, and opens it where it failed. */
async function record(command, folder, cwd) {
  const configuration = { type: 'wherefore', request: 'launch', name: `Why does \`${command}\` fail?`, command, ...(cwd && { cwd }) };
  const once = vscode.debug.onDidChangeActiveStackItem(async (item) => {
    if (!item || item.session.type !== 'wherefore') return;
    once.dispose();
    await vscode.commands.executeCommand('wherefore.why');
  });
  if (!(await vscode.debug.startDebugging(folder, configuration))) once.dispose();
}

module.exports = { register, record };
