const config = { db: { get url() { return this.host.name; } } };
    function connect(c) { const u = c.db.url; return u; }
const wrap = (fn) => (...args) => { if (args.length) return fn(...args); };
wrap(wrap(connect))(config);
