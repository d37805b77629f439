// Functions of ours that stand in for others. Function.prototype.toString shows what they stand for.
'use strict';
const { SafeWeakMap, bind } = load('load/primordials.cjs');

const shown = new SafeWeakMap();
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf, ownKeys, construct } = Reflect;

let native;
let remove;

function install(context) {
  native = context.native;
  remove = load('load/natives.cjs').remover();
}

// `wrapper` is seen as `original`: its text, or that text itself.
function hide(wrapper, original) {
  shown.set(wrapper, original);
  return wrapper;
}

// Also takes over what reflection would show. The wrapper is a method (these have nothing that would have to be taken away) or
// was made by `bare`.
function disguise(wrapper, original) {
  const keys = ownKeys(original);
  for (let i = 0; i < keys.length; i++) {
    defineProperty(wrapper, keys[i], { __proto__: null, ...getOwnPropertyDescriptor(original, keys[i]) });
  }
  setPrototypeOf(wrapper, getPrototypeOf(original));
  return hide(wrapper, original);
}

// Puts the method of `wrap(original)` in the place of a function; everything about the property stays as it was.
function replace(object, key, wrap) {
  return put(object, key, (original) => disguise(wrap(original).method, original));
}

// As `replace`, with a wrapper that is on no stack: it changes the arguments and calls on. Where the addon cannot do that,
// the function stays as it is.
//   before(…arguments)   called as the function itself; returns the array of arguments to use, or undefined: the same
//   after(result)
//   failed(exception)    may return another to be thrown in its place
function intercept(object, key, hooks) {
  return put(object, key, (original) => stealthy(original, hooks, bare));
}

// A stand-in for a function or class.
function stealthy(original, { before, after, failed }, strip) {
  const wrapper = native.wrap(original, before, after, failed, construct);
  if (wrapper === undefined) return original;
  strip?.(wrapper, original);
  return disguise(wrapper, original);
}

// Native functions have `arguments`, `caller` and `prototype`, which cannot be deleted.
function bare(wrapper, original) {
  const keys = ownKeys(wrapper);
  for (let i = 0; i < keys.length; i++) {
    if (getOwnPropertyDescriptor(original, keys[i]) !== undefined) continue;
    // V8 reads the prototype of a function without looking for the property, unless it is no object.
    if (keys[i] === 'prototype') wrapper.prototype = undefined;
    remove(wrapper, keys[i]);
  }
}

// The same for a function that does not look at `this`: a bound one shows nothing that the original has not.
function stealthyBound(original, hooks) {
  const wrapper = stealthy(original, hooks);
  return wrapper === original ? original : disguise(bind(wrapper, undefined), original);
}

// What constructs is also known to its prototype.
function makeKnown(wrapper, original) {
  const prototype = getOwnPropertyDescriptor(original, 'prototype')?.value;
  if (typeof prototype !== 'object' || prototype === null) return;
  if (getOwnPropertyDescriptor(prototype, 'constructor')?.value !== original) return;
  defineProperty(prototype, 'constructor', { __proto__: null, value: wrapper });
}

module.exports = { install, hide, makeKnown, disguise, replace, intercept, stealthyBound, original: (f) => shown.get(f) };

function put(object, key, wrap) {
  const descriptor = getOwnPropertyDescriptor(object, key);
  if (typeof descriptor?.value !== 'function') return undefined;
  const wrapper = wrap(descriptor.value);
  defineProperty(object, key, { __proto__: null, value: wrapper });
  makeKnown(wrapper, descriptor.value);
  return wrapper;
}
