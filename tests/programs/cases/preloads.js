// flags: -r ./helpers/preloaded.cjs -r ./helpers/preloaded-too.cjs
console.log(globalThis.preloaded, process._preload_modules.length, process.execArgv.length);
