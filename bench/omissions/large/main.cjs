'use strict';
// Ten million events, and a large library beside.
const alasql = require(process.argv[2]);
const { createCounters } = require('./counters.cjs');
const counters = createCounters();
for (let i = 0; i < Number(process.argv[3]); i++) counters.hit(i % 7 === 3 ? 'odd' : 'even', i);
const late = counters.late;
console.log(late.length, typeof alasql);
