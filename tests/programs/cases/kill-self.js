console.log('about to die'); process.kill(process.pid, 'SIGKILL');
