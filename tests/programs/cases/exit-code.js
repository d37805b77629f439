process.on('exit', (c) => { console.log('exit', c, process.exitCode); process.exitCode = 9; }); process.exitCode = 4; setTimeout(() => console.log('last'), 1);
