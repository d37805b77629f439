// The object that a program gives to vm.createContext: the global object of the context asks it first, for everything.
'use strict';
const { isProxy } = require('util').types;

const { getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

// Whether it has nothing of this name; false too if it would notice the question. Without such an object (the main realm, or a
// context that has none): true.
function isUnnamed(sandbox, name) {
  for (let object = sandbox; object !== undefined && object !== null; object = getPrototypeOf(object)) {
    if (isProxy(object) || getOwnPropertyDescriptor(object, name) !== undefined) return false;
  }
  return true;
}

module.exports = { isUnnamed };
