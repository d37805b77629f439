// flags: --expose-gc --max-old-space-size=60
let n = 0; for (let i = 0; i < 300; i++) { const o = { big: new Array(20000).fill(i) }; const m = new WeakMap(); m.set(o, { o }); const f = () => o.big.length; n += f(); } console.log(n);
