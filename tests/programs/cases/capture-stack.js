function Custom(message) { this.message = message; Error.captureStackTrace(this, Custom); } Custom.prototype = Object.create(Error.prototype); Custom.prototype.name = 'Custom';
function make() { return new Custom('made'); } console.log(make().stack, Object.keys(make()), Object.getOwnPropertyDescriptor(make(), 'stack')?.enumerable);
const o = {}; (function hide() { (function inner() { Error.captureStackTrace(o, hide); })(); })(); console.log(o.stack);
try { Error.captureStackTrace(1); } catch (e) { console.log(e.message); }
