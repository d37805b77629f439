// A program may put its own in the place of functions of `fs`, and sees who calls them.
const fs = require('fs');
for (const name of ['appendFileSync', 'closeSync', 'openSync', 'writeFileSync']) {
  const plain = fs[name];
  fs[name] = function (...args) {
    console.log('called', name, typeof args[0]);
    return plain.apply(this, args);
  };
}
process.on('exit', (code) => console.log('exit', code));
process.exitCode = 3;
