#!/usr/bin/env node
'use strict';
// Runs the program of this platform in the place of this script: its input, output, signals and end are those of the program.
const { spawn } = require('node:child_process');
const programOf = require('./platform.cjs');

const COULD_NOT_RUN = 3;
const { program, problem } = programOf(process, require.resolve);
if (problem) end(problem);
else run(program);

function run(program) {
  const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });
  // A terminal sends these to the program as well, and what others send to this process is meant for it. Which of the two ends first
  // is for the program to say.
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => forward(child, signal));
  child.on('error', (error) => end(`${program} cannot be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exitCode = code;
    else {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
}

// Ctrl-C reached the program already, if it is of this terminal.
function forward(child, signal) {
  const isFromTerminal = (signal === 'SIGINT' || signal === 'SIGQUIT') && process.stdin.isTTY;
  if (!isFromTerminal) child.kill(signal);
}

function end(sentence) {
  process.stderr.write(`wherefore: ${sentence}\n`);
  process.exitCode = COULD_NOT_RUN;
}
