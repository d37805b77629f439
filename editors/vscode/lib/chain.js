// The tree view: the answer to the question that was asked last.
'use strict';

const path = require('node:path');
const vscode = require('vscode');

class Chain {
  #changed = new vscode.EventEmitter();
  #roots = [];
  onDidChangeTreeData = this.#changed.event;

  show(roots) {
    this.#roots = roots;
    this.#changed.fire();
  }

  clear() {
    this.show([]);
  }

  getChildren(node) {
    return node ? node.children : this.#roots;
  }

  getTreeItem(node) {
    const state = node.children.length ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.None;
    const item = new vscode.TreeItem(node.says, state);
    item.tooltip = node.says;
    if (node.point) {
      const { file, line, hit, hits } = node.point;
      item.description = file && `${path.basename(file)}:${line}${hits > 1 ? `, time ${hit} of ${hits}` : ''}`;
      item.tooltip = [node.says, node.point.text].filter(Boolean).join('\n\n');
      item.command = { command: 'wherefore.openPoint', title: 'Show this moment', arguments: [node] };
      item.iconPath = new vscode.ThemeIcon('debug-breakpoint-data-unverified');
    }
    return item;
  }
}

module.exports = { Chain };
