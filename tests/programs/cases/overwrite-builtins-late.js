// Code is loaded, evaluated and looked at after the program has replaced what a loader would use.
const { writeSync } = require('node:fs'); const vm = require('node:vm'); const say = (text) => writeSync(1, text + '\n'); const { ownKeys } = Reflect;
const context = vm.createContext({});
const broken = (what) => function () { say(`${what} was called`); throw new Error(what); };
const replace = (holder, name) => { const keys = ownKeys(holder); for (let i = 0; i < keys.length; i++) { const key = keys[i]; if (typeof key === 'string' && key !== 'constructor' && key !== 'toString' && typeof Object.getOwnPropertyDescriptor(holder, key).value === 'function') holder[key] = broken(`${name}.${key}`); } };
replace(String.prototype, 'String.prototype'); replace(Map.prototype, 'Map.prototype'); replace(WeakMap.prototype, 'WeakMap.prototype'); replace(WeakSet.prototype, 'WeakSet.prototype'); replace(RegExp.prototype, 'RegExp.prototype'); replace(Array.prototype, 'Array.prototype'); replace(Function.prototype, 'Function.prototype');
Array.prototype[Symbol.iterator] = broken('iterator'); RegExp.prototype[Symbol.replace] = RegExp.prototype[Symbol.split] = broken('Symbol.replace'); Array.isArray = broken('isArray'); Math.max = Math.min = broken('Math');
say(new Function('a', 'b', 'let c = a + b; return c')(1, 2)); say(eval('let q = 5; q + 1')); say(vm.runInContext('let z = 2; z * 2', context)); say(vm.runInThisContext('(function f(a) { let b = a; return b })')(7)); say(new vm.Script('let u = 1; u + 1').runInThisContext());
say(vm.compileFunction('let t = 1; return t')()); say(String(function shown(a) { let b = a; return b; })); say(require('./helpers/patched.cjs'));
function thrower() { throw new Error('seen'); } try { thrower(); } catch (e) { say(e.stack); } try { eval('let inside = 1; null.x'); } catch (e) { say(e.stack); } try { new Function('let inside = 1; null.x')(); } catch (e) { say(e.stack); }
