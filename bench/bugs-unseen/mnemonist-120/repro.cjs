'use strict';
const Heap = require('mnemonist/heap');

const jobs = [{ name: 'build', due: 30 }, { name: 'test', due: 10 }, { name: 'ship', due: 20 }];
const byDue = (a, b) => a.due - b.due;

const names = (n) => Heap.nsmallest(byDue, n, jobs).map((job) => job.name).join();
if (names(2) !== 'test,ship') throw new Error('the next two are ' + names(2));
if (names(1) !== 'test') throw new Error('the next one is ' + names(1));
console.log('ok');
