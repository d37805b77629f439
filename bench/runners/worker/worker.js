'use strict';
const assert = require('node:assert');
const { parentPort, workerData } = require('node:worker_threads');
const { histogram } = require('./lib/histogram');

const { values, count } = workerData;
const counts = histogram(values, count);
assert.strictEqual(counts.reduce((a, b) => a + b, 0), values.length, 'values got lost');
parentPort.postMessage(counts);
