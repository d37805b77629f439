const one = async () => { await null; throw new TypeError('in all'); };
async function many() { return Promise.all([1, one(), 3]); }
async function any() { return Promise.any([one(), one()]); }
many().catch((e) => console.log(e.stack)).then(any).catch((e) => console.log(e.errors.map((x) => x.stack).join('\n'), e.message));
