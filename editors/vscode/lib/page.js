// The page of `wherefore open`, in a panel. Its server lives as long as the panel does.
'use strict';

const { spawn } = require('node:child_process');
const vscode = require('vscode');
const adapter = require('./adapter');
const { current } = require('./session');

class Page {
  #panel;
  #server;

  async show() {
    const session = current();
    if (!session) return;
    const { folder } = await session.customRequest('wherefore.run');
    this.dispose();
    const url = await this.#serve(folder);
    if (!url) return;
    // The server answers under its own name only: behind a proxy that gives it another, it is asked directly.
    const forwarded = await vscode.env.asExternalUri(vscode.Uri.parse(url, true));
    const outside = forwarded.path === '/' ? forwarded : vscode.Uri.parse(url, true);
    this.#panel = vscode.window.createWebviewPanel('wherefore.page', 'Wherefore', vscode.ViewColumn.Active, { enableScripts: true, retainContextWhenHidden: true });
    this.#panel.onDidDispose(() => this.#end());
    this.#panel.webview.html = html(outside.toString(true));
  }

  dispose() {
    this.#panel?.dispose();
    this.#end();
  }

  #end() {
    this.#server?.kill();
    this.#server = undefined;
    this.#panel = undefined;
  }

  /** Starts a server for a run, and gives its address. */
  #serve(run) {
    return new Promise((resolve) => {
      const server = spawn(adapter.command(), ['open', run, '--in-editor'], { stdio: ['ignore', 'pipe', 'pipe'] });
      this.#server = server;
      let said = '';
      server.stderr.on('data', (text) => (said += text));
      server.stdout.once('data', (text) => resolve(String(text).trim()));
      server.on('error', (error) => (said = error.message));
      server.on('close', (code) => {
        if (code) void vscode.window.showWarningMessage(said.trim() || `wherefore open ended with ${code}`);
        resolve(undefined);
      });
    });
  }
}

function html(url) {
  const origin = new URL(url).origin;
  return `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; frame-src ${origin}; style-src 'unsafe-inline'">
<style>html, body, iframe { margin: 0; padding: 0; border: 0; width: 100%; height: 100%; overflow: hidden }</style>
<iframe src="${url.replaceAll('"', '&quot;')}"></iframe>`;
}

module.exports = { Page };
