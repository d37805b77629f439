'use strict';
const { measure, scale } = require('./harness.cjs');
const Loki = require('lokijs');
measure('lokijs', () => {
  const db = new Loki('x.json');
  let n = 0;
  for (let round = 0; round < scale(12); round++) {
    const users = db.addCollection('users' + round);
    for (let i = 0; i < 1500; i++) users.insert({ name: 'name' + (i % 100), age: (i * 7919) % 97 });
    for (let i = 0; i < 60; i++) n += users.find({ age: i }).length;
    for (let i = 1; i < 400; i++) {
      const user = users.get(i);
      if (user) n += user.age;
    }
    n += users.where((user) => user.age > 50).length;
  }
  return n;
});
