// Names that V8 infers, wherever a stack trace is shown: call sites, frames behind an await, console.trace, what nobody catches.
const o = { r() {} };
const short = (text) => text.replace(/\(.*[/\\]|at \/.*\//g, '(');
const run = (list) => list.map((f) => f());
const st = () => console.log(short(new Error('x').stack.split('\n').slice(2, 4).join('|')));
const sites = () => {
  Error.prepareStackTrace = (error, sites) => sites;
  const [, site] = new Error('x').stack;
  delete Error.prepareStackTrace;
  console.log(site.getFunctionName(), site.getMethodName(), site.getTypeName(), short(String(site)));
};
run([() => sites(), () => { o.x = 1; }]);
run(eval('[() => st(), () => { o.y = 1; }]'));
run(new Function('st', 'o', 'return [() => st(), () => { o.y = 1; }]')(st, o));
o.list = [() => sites(), function () { sites(); }, () => { o.z = 1; }];
o.list[0]();
o.list[1]();
exports.app = Object.assign(() => {}, { use() { sites(); } });
exports.app.use();
class Named { constructor(...rest) { this.rest = rest; } }
const made = new Named(() => sites(), { k: 1 }, () => { const q = o.x; });
made.rest[0]();
const given = Object.defineProperty(() => sites(), 'name', { value: 'given' });
run([given, () => { o.x = 1; }]);
const later = [async () => { await 1; st(); throw new Error('behind an await'); }, async () => { o.w = await o.r(); }];
const caught = async () => {
  await later[0]().catch((error) => console.log(short(error.stack)));
  console.trace = ((plain) => (text) => plain.call(console, text))(console.trace);
  run([() => console.trace('traced'), () => { o.x = 1; }]);
  run([() => { throw new Error('uncaught'); }, () => { o.x = 1; }]);
};
caught();
