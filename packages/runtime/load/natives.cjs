// What only V8's own functions can do. They are known to the parser while a flag is set.
'use strict';
const v8 = require('v8');
const vm = require('vm');

const { deleteProperty } = Reflect;
const MOST_TRIES = 10_000;

// A key that no reflection shows and that frozen objects take.
function privateSymbol() {
  return withNatives('(function(){return %CreatePrivateSymbol("wherefore")})');
}

// A function that deletes properties which cannot be deleted. Used at the start only: V8 may forget how to compile it.
function remover() {
  return withNatives(
    '(function(){const define=(object,key,get)=>%DefineAccessorPropertyUnchecked(object,key,get,null,0);define({},"a",define);return define})',
    (define) => (object, key) => {
      define(object, key, define);
      deleteProperty(object, key);
    },
  );
}

module.exports = { privateSymbol, remover };

function withNatives(text, use = (made) => made) {
  for (let tries = 1; ; tries++) {
    v8.setFlagsFromString('--allow-natives-syntax');
    try {
      return use(vm.runInThisContext(text, { filename: 'wherefore:natives' })());
    } catch (error) {
      // The flag is that of all threads: another worker that starts may have switched it off again.
      if (tries === MOST_TRIES) throw error;
    } finally {
      v8.setFlagsFromString('--no-allow-natives-syntax');
    }
  }
}
