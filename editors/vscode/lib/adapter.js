// How VS Code comes to a debug adapter: `wherefore dap`, in the folder of the project, or one that listens on a port already.
'use strict';

const vscode = require('vscode');

function register(context) {
  const factory = {
    createDebugAdapterDescriptor(session) {
      if (session.configuration.port) return new vscode.DebugAdapterServer(session.configuration.port);
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
      // A server on a port takes no request from whoever does not know its token.
      const listens = configuration.port ?? configuration.debugServer;
      if (listens && process.env.WHEREFORE_DAP_TOKEN) configuration.token ??= process.env.WHEREFORE_DAP_TOKEN;
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
