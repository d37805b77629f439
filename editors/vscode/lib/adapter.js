// How VS Code comes to a debug adapter: `wherefore dap`, in the folder of the project.
'use strict';

const vscode = require('vscode');

function register(context) {
  const factory = {
    createDebugAdapterDescriptor(session) {
      const cwd = session.configuration.cwd ?? session.workspaceFolder?.uri.fsPath;
      return new vscode.DebugAdapterExecutable(command(), ['dap'], { cwd });
    },
  };
  const configurations = {
    resolveDebugConfiguration(folder, configuration) {
      // F5 without a launch.json: the file that is open.
      if (!configuration.type && !configuration.request) {
        const file = vscode.window.activeTextEditor?.document;
        if (!file || !/^(java|type)script/.test(file.languageId)) return undefined;
        configuration = { type: 'wherefore', request: 'launch', name: 'Why does this fail?', command: ['node', file.fileName] };
      }
      configuration.cwd ??= folder?.uri.fsPath;
      return configuration;
    },
  };
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory('wherefore', factory),
    vscode.debug.registerDebugConfigurationProvider('wherefore', configurations),
  );
}

/** The wherefore command, as the person has set it. */
function command() {
  return vscode.workspace.getConfiguration('wherefore').get('path') || 'wherefore';
}

module.exports = { register, command };
