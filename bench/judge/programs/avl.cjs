'use strict';
// An AVL tree: a search tree whose subtrees differ in height by at most one.

class Node {
  constructor(key) {
    this.key = key;
    this.left = null;
    this.right = null;
    this.height = 1;
  }
}

function height(node) {
  return node === null ? 0 : node.height;
}

class AvlTree {
  constructor() {
    this.root = null;
    this.count = 0;
  }

  size() {
    return this.count;
  }

  insert(key) {
    this.root = this.insertInto(this.root, key);
  }

  insertInto(node, key) {
    if (node === null) {
      this.count++;
      return new Node(key);
    }
    if (key < node.key) node.left = this.insertInto(node.left, key);
    else if (key > node.key) node.right = this.insertInto(node.right, key);
    else return node;
    return this.rebalance(node);
  }

  remove(key) {
    this.root = this.removeFrom(this.root, key);
  }

  removeFrom(node, key) {
    if (node === null) return null;
    if (key < node.key) {
      node.left = this.removeFrom(node.left, key);
    } else if (key > node.key) {
      node.right = this.removeFrom(node.right, key);
    } else {
      if (node.left === null || node.right === null) {
        this.count--;
        return node.left === null ? node.right : node.left;
      }
      const next = this.smallest(node.right);
      node.key = next.key;
      node.right = this.removeFrom(node.right, next.key);
    }
    return this.rebalance(node);
  }

  smallest(node) {
    while (node.left !== null) node = node.left;
    return node;
  }

  contains(key) {
    return this.find(this.root, key) !== null;
  }

  find(node, key) {
    if (node === null || node.key === key) return node;
    if (key < node.key) return this.find(node.left, key);
    return this.find(node.right, key);
  }

  updateHeight(node) {
    node.height = 1 + Math.max(height(node.left), height(node.right));
  }

  balance(node) {
    return height(node.left) - height(node.right);
  }

  rebalance(node) {
    this.updateHeight(node);
    const balance = this.balance(node);
    if (balance > 1) {
      if (this.balance(node.left) < 0) node.left = this.rotateLeft(node.left);
      return this.rotateRight(node);
    }
    if (balance < -1) {
      if (this.balance(node.right) > 0) node.right = this.rotateRight(node.right);
      return this.rotateLeft(node);
    }
    return node;
  }

  rotateLeft(node) {
    const top = node.right;
    node.right = top.left;
    top.left = node;
    this.updateHeight(node);
    this.updateHeight(top);
    return top;
  }

  rotateRight(node) {
    const top = node.left;
    node.left = top.right;
    top.right = node;
    this.updateHeight(node);
    this.updateHeight(top);
    return top;
  }

  toText() {
    return this.nodeText(this.root);
  }

  nodeText(node) {
    if (node === null) return '-';
    if (node.left === null && node.right === null) return String(node.key);
    return `(${this.nodeText(node.left)} ${node.key}:${node.height} ${this.nodeText(node.right)})`;
  }
}

function fill(keys) {
  const tree = new AvlTree();
  for (const key of keys) tree.insert(key);
  return tree;
}

function main(input) {
  const tree = fill(input.inserted);
  console.log('filled', tree.toText());
  for (const key of input.removed) tree.remove(key);
  console.log('left', tree.toText());
  for (const key of input.sought) console.log('has', key, tree.contains(key));
  console.log('size', tree.size());
}

const INPUTS = {
  usual: { inserted: [50, 20, 30, 70, 60, 40], removed: [50], sought: [40, 50] },
  small: { inserted: [2, 1, 3], removed: [3], sought: [1] },
};

module.exports = { Node, AvlTree, height, fill, main };
if (require.main === module) main(INPUTS[process.argv[2] ?? 'usual']);
