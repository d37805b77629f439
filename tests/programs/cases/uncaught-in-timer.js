setTimeout(function later() { null.foo(); }, 1);
process.on('exit', (code) => console.log('exit', code));
