let n = 0; process.on('beforeExit', (c) => { console.log('before', c, n); if (n++ < 2) setTimeout(() => console.log('more'), 1); }); process.on('exit', () => console.log('exit'));
