'use strict';
const { measure, scale } = require('./harness.cjs');
const buckets = require('buckets-js/dist/buckets.js');
measure('buckets-js', () => {
  let n = 0;
  for (let round = 0; round < scale(60); round++) {
    const phones = new buckets.MultiDictionary();
    const queue = new buckets.PriorityQueue();
    const tree = new buckets.BSTree();
    for (let i = 0; i < 1500; i++) {
      phones.set('name' + (i % 300), i);
      queue.add((i * 7919) % 1009);
      tree.add((i * 7907) % 1013);
    }
    for (let i = 0; i < 300; i++) n += phones.get('name' + i).length + (phones.remove('name' + i, i) ? 1 : 0);
    while (!queue.isEmpty()) n += queue.dequeue();
    tree.inorderTraversal((value) => { n += value; });
  }
  return n;
});
