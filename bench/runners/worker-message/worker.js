'use strict';
const { parentPort } = require('node:worker_threads');
const { shares } = require('./shares');

parentPort.on('message', ({ amount, people, parts = [] }) => {
  parentPort.postMessage(shares(amount, people, parts));
});
