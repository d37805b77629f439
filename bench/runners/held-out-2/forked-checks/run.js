'use strict';
const { fork } = require('node:child_process');

const child = fork(`${__dirname}/checks.js`);
let n_failed = 0;
child.on('message', ({ name, error }) => {
  if (error) n_failed++;
  console.log(error ? `FAILED ${name}: ${error.message}` : `passed ${name}`);
});
child.on('exit', () => {
  process.exitCode = n_failed ? 1 : 0;
});
