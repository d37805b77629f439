function a(x) { return b(x, 1) + 1; } function b(x, y) { return [x].map((v) => { return new Error('here ' + v + y).stack; })[0]; }
console.log(a(5));
Error.prepareStackTrace = (e, sites) => sites.map((s) => `${s.getFunctionName()}:${s.getLineNumber()}:${s.getColumnNumber()}:${s.isToplevel()}`);
console.log(a(6)); Error.prepareStackTrace = undefined;
const holder = {}; Error.captureStackTrace(holder); console.log(holder.stack);
try { null.x; } catch (e) { console.log(e.stack); }
