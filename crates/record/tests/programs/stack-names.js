Error.prepareStackTrace = (e, sites) => sites.map((s) => [s.getTypeName(), s.getFunctionName(), s.getMethodName(), s.getFileName(), s.getLineNumber(), s.getColumnNumber(),
  s.getEvalOrigin(), s.isToplevel(), s.isEval(), s.isNative(), s.isConstructor(), s.isAsync(), s.getPromiseIndex(), typeof s.getThis(), String(s), Object.prototype.toString.call(s), s.constructor.name].join(' '));
class K { constructor() { this.stack = new Error().stack; } static make() { return new K(); } get g() { return new Error().stack; } }
console.log(K.make().stack.join('\n')); console.log(new K().g.slice(0, 2).join('\n'));
console.log(eval('(function inEval() { return new Error().stack })()').slice(0, 3).join('\n'));
console.log(new Function('return new Error().stack')().slice(0, 3).join('\n'));
(async function f() { await null; console.log(new Error().stack.join('\n')); })();
