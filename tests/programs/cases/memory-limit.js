// flags: --max-old-space-size=64
let keep = 0; for (let i = 0; i < 2000; i++) { const a = []; for (let j = 0; j < 1000; j++) a.push({ j, s: 'text' + j, inner: [j] }); keep += a.length; } console.log(keep);
