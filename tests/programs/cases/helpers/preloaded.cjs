globalThis.preloaded = ['first', process._preload_modules.length];
