async function load(id) { await null; if (id > 1) throw new Error(`no row ${id}`); return id; }
async function all() { return (await load(1)) + (await load(2)); }
all();
