// Names that V8 infers for functions without one, from what stands to the left of them; stack traces show them.
// policies: all | calls | properties | variables=f | needed properties=f,run,exports
const where = (error) => error.stack.split('\n').slice(1, 4).map((line) => line.replace(/ \(.*[/\\]/, ' (')).join(' < ');
const show = (title, call) => {
  try {
    const made = call();
    console.log(title, typeof made === 'string' ? made : typeof made);
  } catch (error) {
    console.log(title, error.message, where(error));
  }
};
const at = () => where(new Error());
const api = { deep: { er: {} }, list: [] };
const key = 'computed';
const exported = exports;

api.f = function () { return at(); };
show('property', api.f);
show('property of it', () => api.f());
api.arrow = () => at();
show('arrow', api.arrow);
api.async = async function () { console.log('async', at()); };
api.async();
api.asyncArrow = async () => console.log('async arrow', at());
api.asyncArrow();
api.generator = function* () { yield at(); };
show('generator', () => api.generator().next().value);
api.asyncGenerator = async function* () { console.log('async generator', at()); };
api.asyncGenerator().next();
api.Class = class { constructor() { this.at = at(); } method() { return at(); } static s() { return at(); } };
show('class', () => new api.Class().at);
show('method', () => new api.Class().method());
show('static', () => api.Class.s());
api.named = function own() { return at(); };
show('named', api.named);
api.deep.er.f = function () { return at(); };
show('deep', api.deep.er.f);
api[key] = function () { return at(); };
show('computed', api[key]);
api['literal'] = function () { return at(); };
show('literal key', api.literal);
api[0] = function () { return at(); };
show('index', api[0]);
api.list[1] = function () { return at(); };
show('element', api.list[1]);
api.or = undefined || function () { return at(); };
show('or', api.or);
api.or2 = api.or2 || function () { return at(); };
show('or of itself', api.or2);
api.nullish = api.nothing ?? function () { return at(); };
show('nullish', api.nullish);
api.and = api && function () { return at(); };
show('and', api.and);
api.conditional = api ? function () { return at(); } : function () { return at(); };
show('conditional', api.conditional);
api.logical ??= function () { return at(); };
show('logical assignment', api.logical);
api.logicalOr ||= () => at();
show('logical or assignment', api.logicalOr);
api.parentheses = (function () { return at(); });
show('parentheses', api.parentheses);
api.first = api.second = function () { return at(); };
show('chain', api.first);
let variable = api.third = function () { return at(); };
show('chain of a variable', variable);
let f;
f = api.fourth = api.fifth = () => at();
show('long chain', f);
f = function () { return at(); };
show('variable', f);
f = 0, api.tail = function () { return at(); };
show('after a comma', api.tail);
const m = {}, internals = {}, ext = '.x';
m._compile = function (a, b) { return at(); };
show('like a method of Node', () => m._compile(1));
require.extensions[ext] = function () { return at(); };
show('extensions', () => require.extensions[ext]());
delete require.extensions[ext];
exports.Manager = internals.Manager = class { execute() { return at(); } };
show('class in a chain', () => new exports.Manager().execute());
const declared = function () { return at(); };
show('declared', declared);
const either = api ? function () { return at(); } : 0;
show('declared conditional', either);
const oneOf = undefined || (() => at());
show('declared or', oneOf);
var { unpacked = function () { return at(); } } = {};
show('pattern default', unpacked);
({ unpacked: api.unpacked = function () { return at(); } } = {});
show('pattern default of a property', api.unpacked);
[api.item = () => at()] = [];
show('element of a pattern', api.item);
function withDefault(callback = function () { return at(); }) { return callback(); }
show('parameter', withDefault);
const object = {
  f: function () { return at(); },
  arrow: () => at(),
  method() { return at(); },
  get getter() { return at(); },
  set setter(value) { console.log('setter', at()); },
  async asyncMethod() { console.log('async method', at()); },
  [key]: function () { return at(); },
  'a b': function () { return at(); },
  nested: { f: function () { return at(); } },
  or: undefined || function () { return at(); },
};
for (const name of ['f', 'arrow', 'method', key, 'a b', 'or']) show(`literal ${name}`, object[name]);
show('getter', () => object.getter);
object.setter = 1;
object.asyncMethod();
show('nested', object.nested.f);
api.object = { f: function () { return at(); }, nested: { g: () => at() }, method() { return at(); } };
show('literal in an assignment', api.object.f);
show('nested in an assignment', api.object.nested.g);
show('method in an assignment', api.object.method);
const pass = (x) => x;
const passed = pass({ f: function () { return at(); }, nested: { g: () => at() } });
show('literal in a call', passed.f);
show('nested in a call', passed.nested.g);
api.passed = pass({ f: function () { return at(); } }).f;
show('literal in a call in an assignment', api.passed);
api.called = pass(function () { return at(); });
show('argument in an assignment', api.called);
const calledLater = pass(() => at());
show('argument in a declaration', calledLater);
api.made = new (class { constructor(f) { this.f = f; } })(function () { return at(); }).f;
show('argument of new', api.made);
api.immediately = (function () { return at(); })();
show('called at once', () => api.immediately);
api.fromImmediately = (function () { return function () { return at(); }; })();
show('returned', api.fromImmediately);
api.arrayItem = [function () { return at(); }][0];
show('item of an array', api.arrayItem);
show('list', pass([() => at(), function () { return at(); }])[1]);
class Fields {
  field = function () { return at(); };
  arrow = () => at();
  static stat = function () { return at(); };
  #hidden = () => at();
  ['computed'] = () => at();
  hidden() { return this.#hidden(); }
  or = undefined || (() => at());
}
show('field', new Fields().field);
show('field arrow', new Fields().arrow);
show('static field', Fields.stat);
show('private field', () => new Fields().hidden());
show('computed field', new Fields().computed);
show('field or', new Fields().or);
Fields.prototype.added = function () { return at(); };
show('prototype', () => new Fields().added());
class Sub extends Fields {}
show('inherited', () => new Sub().added());
function Old() {}
Old.prototype.run = function () { return at(); };
Old.prototype.other = Old.prototype.run;
function Older() {}
Older.prototype = Object.create(Old.prototype);
show('old prototype', () => new Old().run());
show('inherited old', () => new Older().run());
show('taken out', new Older().run);
Old.prototype = { constructor: Old, replaced: function () { return at(); }, nested: { f() { return at(); } } };
show('replaced prototype', () => new Old().replaced());
var self = {}, that = self;
that.f = that.g = function () { return at(); };
show('alias', self.g);
(self.paren) = function () { return at(); };
show('parenthesised target', self.paren);
(self || that).either = function () { return at(); };
show('target in parentheses', self.either);
pass(self).called = function () { return at(); };
show('target is a call', self.called);
pass(self).deep = { f: function () { return at(); } };
show('deep behind a call', self.deep.f);
new Fields().made = self.made = function () { return at(); };
show('target is new', self.made);
self.x = {}, self.x.y = function () { return at(); };
show('two', self.x.y);
(function () {
  this.inThis = function () { return at(); };
  show('this', this.inThis);
  this.self = this;
  this.self.deeper = () => at();
  show('deeper in this', this.deeper);
}).call({});
function Ctor() {
  this.f = function () { return at(); };
  var me = this;
  me.g = function () { return at(); };
  return this;
}
show('in a constructor', new Ctor().f);
show('alias in a constructor', new Ctor().g);
class Private { #f; set(f) { this.#f = function () { return at(); }; return this.#f; } }
show('private', new Private().set());
class Parent { set(f) {} }
class Child extends Parent { set() { super.set = function () { return at(); }; return this.set; } }
show('super', new Child().set());
exports.f = function () { return at(); };
show('exports', exports.f);
exports.g = exported.h = () => at();
show('exports chain', exports.g);
module.exports.i = function () { return at(); };
show('module.exports.i', exported.i);
exports = module.exports = function () { return at(); };
show('module.exports', module.exports);
show('both', exports);
module.exports = { f: function () { return at(); }, g: () => at() };
show('module.exports literal', module.exports.f);
module.exports.on = pass(function () { return at(); }, 1);
show('call in module.exports', module.exports.on);
globalThis.global1 = function () { return at(); };
show('global', global1);
implicit = function () { return at(); };
show('implicit global', implicit);
let update = 0;
api['n' + ++update] = () => at();
show('computed with effect', api.n1);
api.a1 = api.a2 = api.a3 = { f: function () { return at(); } };
show('literal in a chain', api.a1.f);
api.ret = (() => function () { return at(); })();
show('arrow gives', api.ret);
api.yields = function* () { api.gen = yield function () { return at(); }; };
show('yielded', api.yields().next().value);
api.text = `${(() => at())()}`;
show('template', () => api.text);
api.spread = { ...{ f: function () { return at(); } } };
show('spread', api.spread.f);
api.inner = function () { this.x = function () { return at(); }; var y = this.z = () => at(); return [this.x, y]; };
show('inside', api.inner()[0]);
show('inside chain', api.inner()[1]);
setTimeout(api.timer = function () { console.log('assigned in a call', at()); }, 1);
setTimeout(function () { console.log('argument', at()); }, 2);
[1].forEach(api.each = () => { console.log('callback', at()); });
try { throw api.thrown = function () { return at(); }; } catch (thrown) { show('thrown', thrown); }
const returns = () => (api.returned = function () { return at(); });
show('returned assignment', returns());
if (api.tested = function () { return at(); }) show('tested', api.tested);
for (api.loop = function () { return at(); }, update = 0; update < 1; update++) show('loop', api.loop);
switch (api.switched = function () { return at(); }) { default: show('switched', api.switched); }
void (api.voided = function () { return at(); });
show('voided', api.voided);
api.typed = typeof (api.ofType = function () { return at(); });
show('typeof', api.ofType);
var a, b;
a = b = function () { return at(); };
show('variables', a);
var c = a || function () {}, d = function () { return at(); };
show('second declarator', d);
api.x1 = function () { return at(); }, api.x2 = function () { return at(); };
show('first of two', api.x1);
show('second of two', api.x2);
update && (api.guarded = function () { return at(); });
show('guarded', api.guarded);
update ? api.chosen = function () { return at(); } : 0;
show('chosen', api.chosen);
api.optional = api?.deep?.er ? function () { return at(); } : 0;
show('optional', api.optional);
