// Lines for the files of a run. `fs.appendFile` calls other functions of `fs` by their public names, and the program may have put its own there.
'use strict';
const { closeSync, openSync, writeSync } = require('fs');

function addLine(path, line) {
  const file = openSync(path, 'a', 0o600);
  try {
    writeSync(file, `${line}\n`);
  } finally {
    closeSync(file);
  }
}

module.exports = { addLine };
