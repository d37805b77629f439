process.on('uncaughtException', (error, origin) => { console.log(origin, error.message, error.stack); });
setTimeout(() => { undefinedFunction(); }, 1);
setTimeout(() => console.log('still alive'), 5);
