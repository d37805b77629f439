// node: >=22
// Names that V8 infers, in the frames that Node asks V8 for.
const util = require('node:util');
const o = { r() {} };
const frames = () => console.log(util.getCallSites(3).slice(1).map((site) => site.functionName));
const run = (list) => list.forEach((f) => f());
run([() => frames(), () => { o.x = 1; }]);
run([() => frames(), () => o.r({ k: 1 }), function () { frames(); }]);
o.plain = () => frames();
o.plain();
