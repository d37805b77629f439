process.stdout.write('x\n', () => process.kill(process.pid, 'SIGKILL'));
setInterval(() => {}, 1000);
