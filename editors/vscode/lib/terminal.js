// Why did this fail? — for a command of the terminal. Shell integration tells which ones failed.
'use strict';

const vscode = require('vscode');
const { record } = require('./starts');

/** What may run Node. */
const RUNS_NODE = /(^|[\s;&|/])(node|npm|npx|pnpm|yarn|bun|tsx|ts-node|jest|vitest|mocha|ava|tap)\b/;

function register(context) {
  let failed;
  context.subscriptions.push(
    vscode.window.onDidEndTerminalShellExecution(async ({ execution, exitCode }) => {
      const command = execution.commandLine.value.trim();
      if (!exitCode || !RUNS_NODE.test(command) || /(^|[\s/])wherefore\b/.test(command)) return;
      failed = { command, cwd: execution.cwd?.fsPath };
      if (!vscode.workspace.getConfiguration('wherefore').get('offerInTerminal')) return;
      const why = 'Why did this fail?';
      const chosen = await vscode.window.showInformationMessage(`\`${command}\` failed.`, why);
      if (chosen === why) await explain({ command, cwd: execution.cwd?.fsPath });
    }),
    vscode.commands.registerCommand('wherefore.whyTerminal', async () => {
      const command = failed?.command ?? (await vscode.window.showInputBox({ prompt: 'Which command is to be recorded?', value: 'npm test' }));
      if (command) await explain({ command, cwd: failed?.cwd });
    }),
  );
}

async function explain({ command, cwd }) {
  const folder = cwd ? vscode.workspace.getWorkspaceFolder(vscode.Uri.file(cwd)) : vscode.workspace.workspaceFolders?.[0];
  await record(command, folder, cwd);
}

module.exports = { register };
