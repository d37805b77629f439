console.log(process.env.NODE_OPTIONS, process.env.WHEREFORE_RUN, Object.keys(process.env).length);
console.log(process.execArgv, process.argv.slice(2), Object.keys(require.cache).length, module.children.length, require.main === module);
console.log(Object.keys(globalThis), Object.getOwnPropertyNames(globalThis).length);
console.log(process.eventNames(), process.listenerCount('exit'), Object.getOwnPropertyNames(process).includes('emit'));
console.log(Object.keys(require('module')._pathCache).length, Object.keys(require('module')._extensions));
