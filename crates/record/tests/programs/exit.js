setInterval(() => {}, 1000);
console.log('a'); console.error('b');
process.exit(42);
