'use strict';
// A B-tree of minimum degree 2: a node holds one to three keys.

const MAX_KEYS = 3;

class Page {
  constructor() {
    this.keys = [];
    this.children = [];
  }

  size() {
    return this.keys.length;
  }

  isLeaf() {
    return this.children.length === 0;
  }

  isFull() {
    return this.keys.length === MAX_KEYS;
  }

  key(i) {
    return this.keys[i];
  }

  child(i) {
    return this.children[i];
  }
}

class BTree {
  constructor() {
    this.root = new Page();
    this.count = 0;
  }

  getCount() {
    return this.count;
  }

  insert(key) {
    if (this.root.isFull()) this.growRoot();
    this.insertInto(this.root, key);
    this.count++;
  }

  growRoot() {
    const top = new Page();
    top.children.push(this.root);
    this.root = top;
    this.splitChild(top, 0);
  }

  insertInto(page, key) {
    let i = this.position(page, key);
    if (page.isLeaf()) {
      this.openGap(page.keys, i);
      page.keys[i] = key;
      return;
    }
    if (page.child(i).isFull()) {
      this.splitChild(page, i);
      if (key > page.key(i)) i++;
    }
    this.insertInto(page.child(i), key);
  }

  position(page, key) {
    let i = 0;
    while (i < page.size() && key > page.key(i)) i++;
    return i;
  }

  openGap(list, at) {
    for (let i = list.length; i > at; i--) list[i] = list[i - 1];
  }

  splitChild(parent, at) {
    const left = parent.child(at);
    const middle = left.key(1);
    const right = this.upperHalf(left);
    this.cutUpperHalf(left);
    this.openGap(parent.keys, at);
    parent.keys[at] = middle;
    this.openGap(parent.children, at + 1);
    parent.children[at + 1] = right;
  }

  upperHalf(page) {
    const right = new Page();
    right.keys.push(page.key(2));
    if (!page.isLeaf()) right.children.push(page.child(2), page.child(3));
    return right;
  }

  cutUpperHalf(page) {
    page.keys.length = 1;
    if (!page.isLeaf()) page.children.length = 2;
  }

  contains(key) {
    return this.search(this.root, key);
  }

  search(page, key) {
    const i = this.position(page, key);
    if (i < page.size() && page.key(i) === key) return true;
    if (page.isLeaf()) return false;
    return this.search(page.child(i), key);
  }

  smallest(page) {
    return page.isLeaf() ? page.key(0) : this.smallest(page.child(0));
  }

  largest(page) {
    return page.isLeaf() ? page.key(page.size() - 1) : this.largest(page.child(page.size()));
  }

  height(page) {
    return page.isLeaf() ? 1 : 1 + this.height(page.child(0));
  }

  list(page, into) {
    for (let i = 0; i < page.size(); i++) {
      if (!page.isLeaf()) this.list(page.child(i), into);
      into.push(page.key(i));
    }
    if (!page.isLeaf()) this.list(page.child(page.size()), into);
  }

  toList() {
    const keys = [];
    this.list(this.root, keys);
    return keys;
  }
}

function fill(keys) {
  const tree = new BTree();
  for (const key of keys) tree.insert(key);
  return tree;
}

function main(input) {
  const tree = fill(input.inserted);
  console.log('keys', tree.toList().join(' '));
  console.log('size', tree.getCount(), 'height', tree.height(tree.root));
  console.log('from', tree.smallest(tree.root), 'to', tree.largest(tree.root));
  for (const key of input.sought) console.log('has', key, tree.contains(key));
}

const INPUTS = {
  usual: { inserted: [40, 10, 30, 20, 60, 50, 70, 35], sought: [70, 65] },
  small: { inserted: [2, 1, 3], sought: [3] },
};

module.exports = { Page, BTree, fill, main };
if (require.main === module) main(INPUTS[process.argv[2] ?? 'usual']);
