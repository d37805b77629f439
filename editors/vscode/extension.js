// The extension: it starts `wherefore dap`, and puts questions and answers where one looks for them.
'use strict';

const vscode = require('vscode');
const adapter = require('./lib/adapter');
const { Chain } = require('./lib/chain');
const inlineValues = require('./lib/inline-values');
const { Moments } = require('./lib/moments');
const { Page } = require('./lib/page');
const questions = require('./lib/questions');
const starts = require('./lib/starts');
const terminal = require('./lib/terminal');

function activate(context) {
  const moments = new Moments();
  const chain = new Chain();
  const page = new Page();
  context.subscriptions.push(moments, page, vscode.window.registerTreeDataProvider('wherefore.chain', chain));
  adapter.register(context);
  inlineValues.register(context);
  questions.register(context, chain, moments);
  starts.register(context);
  terminal.register(context);
  context.subscriptions.push(vscode.commands.registerCommand('wherefore.openPage', () => page.show()));
  context.subscriptions.push(vscode.debug.onDidTerminateDebugSession((session) => {
    if (session.type !== 'wherefore') return;
    chain.clear();
    moments.clear();
  }));
}

module.exports = { activate, deactivate() {} };
