setTimeout(() => process.kill(process.pid, 'SIGINT'), 5); setInterval(() => {}, 1000); process.on('exit', () => console.log('not called'));
