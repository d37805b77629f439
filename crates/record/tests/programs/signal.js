setInterval(() => {}, 1000);
console.log('going');
process.kill(process.pid, 'SIGTERM');
