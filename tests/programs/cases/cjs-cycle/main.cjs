exports.early = 1; const a = require('./a.cjs'); console.log(a, module.children.length); exports.late = 2;
