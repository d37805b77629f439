process.on('uncaughtException', (e, origin) => { console.log('caught', e.stack, origin); });
setTimeout(() => console.log('alive'), 20);
null.x;
