'use strict';
// A binary search tree of words and how often they came.

class Node {
  constructor(key) {
    this.key = key;
    this.count = 1;
    this.left = null;
    this.right = null;
  }

  getKey() {
    return this.key;
  }

  getCount() {
    return this.count;
  }

  getLeft() {
    return this.left;
  }

  getRight() {
    return this.right;
  }

  setLeft(node) {
    this.left = node;
  }

  setRight(node) {
    this.right = node;
  }

  increment() {
    this.count++;
  }
}

class BinaryTree {
  constructor() {
    this.root = null;
  }

  insert(key) {
    if (this.root === null) this.root = new Node(key);
    else this.insertBelow(this.root, key);
  }

  insertBelow(node, key) {
    if (key === node.getKey()) {
      node.increment();
    } else if (key < node.getKey()) {
      if (node.getLeft() === null) node.setLeft(new Node(key));
      else this.insertBelow(node.getLeft(), key);
    } else if (node.getRight() === null) {
      node.setRight(new Node(key));
    } else {
      this.insertBelow(node.getRight(), key);
    }
  }

  find(node, key) {
    if (node === null) return null;
    if (key === node.getKey()) return node;
    return this.find(key < node.getKey() ? node.getLeft() : node.getRight(), key);
  }

  countOf(key) {
    const node = this.find(this.root, key);
    return node === null ? 0 : node.getCount();
  }

  remove(key) {
    this.root = this.removeFrom(this.root, key);
  }

  removeFrom(node, key) {
    if (node === null) return null;
    if (key < node.getKey()) {
      node.setLeft(this.removeFrom(node.getLeft(), key));
      return node;
    }
    if (key > node.getKey()) {
      node.setRight(this.removeFrom(node.getRight(), key));
      return node;
    }
    return this.join(node.getLeft(), node.getRight());
  }

  join(left, right) {
    if (left === null) return right;
    if (right === null) return left;
    const top = this.largest(left);
    top.setLeft(this.withoutLargest(left));
    top.setRight(right);
    return top;
  }

  largest(node) {
    return node.getRight() === null ? node : this.largest(node.getRight());
  }

  withoutLargest(node) {
    if (node.getRight() === null) return node.getLeft();
    node.setRight(this.withoutLargest(node.getRight()));
    return node;
  }

  total(node) {
    if (node === null) return 0;
    return this.total(node.getLeft()) + node.getCount() + this.total(node.getRight());
  }

  list(node, into) {
    if (node === null) return;
    this.list(node.getLeft(), into);
    into.push(node.getKey());
    this.list(node.getRight(), into);
  }

  toList() {
    const keys = [];
    this.list(this.root, keys);
    return keys;
  }
}

function fill(words) {
  const tree = new BinaryTree();
  for (const word of words) tree.insert(word);
  return tree;
}

function main(input) {
  const tree = fill(input.words);
  for (const word of input.removed) tree.remove(word);
  console.log('words', tree.toList().join(' '));
  for (const word of input.counted) console.log('count', word, tree.countOf(word));
  console.log('total', tree.total(tree.root));
}

const INPUTS = {
  usual: { words: ['kiwi', 'fig', 'plum', 'date', 'lime', 'date', 'apple'], removed: ['kiwi'], counted: ['date', 'pear'] },
  small: { words: ['b', 'a', 'c'], removed: ['c'], counted: ['b'] },
};

module.exports = { Node, BinaryTree, fill, main };
if (require.main === module) main(INPUTS[process.argv[2] ?? 'usual']);
