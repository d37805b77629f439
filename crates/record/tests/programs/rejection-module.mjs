const f = async (x) => { await null; throw new TypeError(`bad ${x}`); };
await f(3);
