'use strict';
// Two inputs of one program: a run of the one gives hints, and the call graph is scored on a run of the other.
const { List, Map, OrderedMap, Set, Stack, Range, Record, Seq, fromJS, is } = require('immutable');
let k = 0;
if (process.argv[2] === 'first') {
  let m = Map(), l = List();
  for (let i = 0; i < 200; i++) { m = m.set('k' + (i % 50), i); l = l.push(i); if (i % 4 === 0) l = l.set(i >> 1, -i); if (i % 8 === 0) m = m.update('k' + (i % 10), (x) => x + 1); }
  k += m.filter((v) => v % 2).size + l.map((x) => x * 2).reduce((x, y) => x + y, 0) + m.delete('k3').size + l.slice(2, 5).size;
  k += OrderedMap({ a: 1, b: 2 }).set('c', 3).keySeq().toArray().length + Set([1, 2, 3]).union([3, 4]).size + Stack([1, 2]).push(3).peek();
  k += Range(0, 10, 2).map((x) => x + 1).toList().size + fromJS({ a: { b: [1, 2] } }).getIn(['a', 'b', 1]) + (is(Map({ a: 1 }), Map({ a: 1 })) ? 1 : 0);
  const P = Record({ x: 1, y: 2 }); k += new P({ x: 5 }).set('y', 7).y + m.merge({ z: 1 }).sortBy((v) => v).first() + l.groupBy((x) => x % 3).size;
  for (const [key, value] of m) k += key.length + value; console.log(l.toJS().length, m.toString().length);
} else {
  let m = Map({ a: 1, b: 2 }), l = List([3, 1, 2]);
  for (let i = 0; i < 120; i++) { m = m.set(i % 30, i); l = l.unshift(i); if (i % 5 === 0) l = l.pop(); }
  k += m.map((v) => v + 1).filterNot((v) => v > 9).count() + l.sort().first() + l.concat([1, 2]).size + m.remove('a').size + l.insert(1, 5).size;
  k += m.withMutations((n) => n.set('q', 1).set('r', 2)).size + m.mergeDeep({ c: { d: 1 } }).size + m.setIn(['x', 'y'], 1).getIn(['x', 'y']);
  k += Set(['a', 'b']).intersect(['b']).size + Set([1]).add(2).delete(1).size + Seq([1, 2, 3]).filter((x) => x > 1).map((x) => x * 2).toArray().length;
  k += l.zip(List([1, 2])).size + l.reverse().skip(2).take(3).size + (l.includes(2) ? 1 : 0) + l.findIndex((x) => x === 2) + m.toList().join('').length;
  const Q = Record({ a: 1 }); k += Q().set('a', 2).toObject().a + (is(List([1]), List([1])) ? 1 : 0) + OrderedMap([[1, 2]]).reverse().size + Stack().pushAll([1, 2]).pop().size;
  for (const value of l) k += value; m.forEach((v) => { k += typeof v === 'number' ? v : 0; }); console.log(m.toJS() ? 1 : 0, l.entrySeq().size);
}
console.log(k);
