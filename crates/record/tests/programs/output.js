const fs = require('fs');
console.log('to stdout'); console.error('to stderr'); fs.writeSync(1, 'sync\n'); process.stdout.write(Buffer.from('bytes\n'));
process.stdout.write('é'.repeat(5000) + '\n', 'latin1');
console.log(process.stdout.isTTY, process.stdout.constructor.name, Object.keys(process.stdout).length, process.stdout.write.name);
process.on('exit', () => fs.writeSync(2, 'last\n'));
fs.write(2, 'async\n', () => {});
