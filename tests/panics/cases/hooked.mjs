// {"args": ["--no-warnings", "--loader", "./_hooks.mjs"]}
// Module hooks of the program's own.
await import('./imported.mjs');
console.log('done');
