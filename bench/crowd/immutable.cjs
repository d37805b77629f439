'use strict';
const { measure, scale } = require('./harness.cjs');
const Immutable = require('immutable');
const Cursor = require('immutable/contrib/cursor');
measure('immutable', () => {
  let n = 0;
  for (let round = 0; round < scale(40); round++) {
    let map = Immutable.Map();
    for (let i = 0; i < 2000; i++) map = map.set('k' + (i % 700), i);
    let list = Immutable.List();
    for (let i = 0; i < 2000; i++) list = list.push(i);
    n += list.map((x) => x * 2).filter((x) => x % 3 === 0).reduce((a, b) => a + b, 0);
    n += Immutable.Set(list.toArray()).union([1, 2, 3]).subtract([5]).size + map.size;
    const root = Cursor.from(Immutable.fromJS({ a: { b: 1 } }));
    for (let i = 0; i < 200; i++) n += root.cursor('a').get('b');
  }
  return n;
});
