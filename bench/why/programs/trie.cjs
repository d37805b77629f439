// Words that begin alike, with the most frequent first.
const assert = require('node:assert');

function makeNode() {
  return { children: {}, count: 0, best: 0 };
}

function insert(root, word) {
  const path = [root];
  let node = root;
  for (const letter of word) {
    if (!node.children[letter]) node.children[letter] = makeNode();
    node = node.children[letter];
    path.push(node);
  }
  node.count++;
  for (const passed of path) {
    if (node.count > passed.best) passed.best = node.count;
  }
}

function find(root, prefix) {
  let node = root;
  for (const letter of prefix) {
    node = node.children[letter];
    if (node === undefined) return null;
  }
  return node;
}

function collect(node, prefix, found) {
  if (node.count > 0) found.push({ word: prefix, count: node.count });
  for (const letter of Object.keys(node.children).sort()) {
    collect(node.children[letter], prefix + letter, found);
  }
  return found;
}

function complete(root, prefix, limit) {
  const node = find(root, prefix);
  if (node === null) return [];
  const found = collect(node, prefix, []);
  found.sort((a, b) => b.count - a.count);
  return found.slice(0, limit).map(({ word }) => word);
}

function remove(node, word, at = 0) {
  if (at === word.length) {
    node.count = 0;
  } else {
    const child = node.children[word[at]];
    if (child !== undefined && remove(child, word, at + 1)) delete node.children[word[at]];
  }
  return node.count === 0 && Object.keys(node.children).length === 0;
}

function size(node) {
  let n = 1;
  for (const child of Object.values(node.children)) n += size(child);
  return n;
}

// checks
const root = makeNode();
for (const word of 'to tea ten to inn tea to in tent'.split(' ')) insert(root, word);
assert.deepStrictEqual(complete(root, 't', 3), ['to', 'tea', 'ten']);
if (root.best !== 3 || find(root, 'te').best !== 2) throw new Error(`best are ${root.best} and ${find(root, 'te').best}`);
remove(root, 'tent');
remove(root, 'tea');
assert.deepStrictEqual(complete(root, 'te', 5), ['ten']);
assert.strictEqual(size(root), 8);
