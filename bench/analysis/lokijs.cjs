'use strict';
// Two inputs of one program: a run of the one gives hints, and the call graph is scored on a run of the other.
const Loki = require('lokijs');
const db = new Loki('x.db', { env: 'BROWSER', persistenceMethod: null, adapter: new Loki.LokiMemoryAdapter() });
const users = db.addCollection('users', { indices: ['age'], unique: ['id'] });
const names = ['ada', 'bob', 'cy', 'dot', 'eve'];
const insert = (n) => { for (let i = 0; i < n; i++) users.insert({ id: 'u' + i, age: (i * 7) % 13, name: names[i % 5], tags: ['a' + (i % 3)] }); };
let k = 0;
if (process.argv[2] === 'first') {
  insert(60);
  k += users.find({ age: 3 }).length + users.by('id', 'u4').age + users.find({ age: { $gt: 5 } }).length;
  k += users.chain().find({ name: { $in: ['ada', 'bob'] } }).where((o) => o.age > 2).simplesort('name').limit(10).data().length;
  k += users.find({ $and: [{ age: { $gte: 2 } }, { name: 'cy' }] }).length + users.findOne({ name: 'eve' }).age;
  const one = users.get(3); one.age = 12; users.update(one);
  users.remove(users.get(5)); users.ensureIndex('name');
  const view = users.addDynamicView('old'); view.applyFind({ age: { $gt: 6 } }); view.applySimpleSort('age'); k += view.data().length;
  k += users.mapReduce((o) => o.age, (ages) => ages.reduce((a, b) => a + b, 0));
  users.on('insert', () => { k++; }); users.insert({ id: 'z', age: 1, name: 'zed', tags: [] });
  db.saveDatabase(() => { k++; });
} else {
  insert(40);
  k += users.find({ age: { $lt: 5 } }).length + users.by('id', 'u7').age + users.find({ age: { $between: [2, 6] } }).length;
  k += users.chain().find({ $or: [{ name: 'ada' }, { age: 3 }] }).sort((a, b) => a.age - b.age).offset(1).limit(5).data().length;
  k += users.chain().where((o) => o.name !== 'bob').compoundsort(['name', ['age', true]]).map((o) => ({ n: o.name })).data().length;
  users.findAndUpdate({ name: 'dot' }, (o) => { o.age = 9; return o; }); users.findAndRemove({ age: 0 });
  const view = users.addDynamicView('young'); view.applyFind({ age: { $lte: 6 } }); view.applyWhere((o) => o.age > 1); view.applySortCriteria([['name', false]]); k += view.data().length;
  users.on('update', () => { k++; }); const one = users.findOne({ name: 'ada' }); one.age = 7; users.update(one);
  k += users.count({ age: 7 }) + users.extract('age').length; users.clear();
  db.saveDatabase(() => { db.loadDatabase({}, () => { k++; }); });
}
console.log(k);
