const m = require('./main.cjs'); exports.seen = { ...m }; console.log(m.missing); exports.get = () => m.late; module.exports.self = module.exports === exports;
