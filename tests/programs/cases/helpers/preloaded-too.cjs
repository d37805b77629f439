globalThis.preloaded.push('second', Object.getOwnPropertyDescriptor(process, '_preload_modules').writable);
