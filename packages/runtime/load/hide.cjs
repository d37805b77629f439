// Functions of ours that stand in for others. Function.prototype.toString shows what they stand for.
'use strict';
const { SafeWeakMap, bind } = load('load/primordials.cjs');

const shown = new SafeWeakMap();
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf, ownKeys, construct } = Reflect;

let native;

function install(context) {
  native = context.native;
}

// `wrapper` is seen as `original`: its text, or that text itself.
function hide(wrapper, original) {
  shown.set(wrapper, original);
  return wrapper;
}

// Also takes over what reflection would show. The wrapper is a method (these have no `prototype` that could not be taken
// away again) or native (these keep an `arguments` and a `caller`, both null).
function disguise(wrapper, original) {
  const keys = ownKeys(original);
  for (let i = 0; i < keys.length; i++) {
    defineProperty(wrapper, keys[i], { __proto__: null, ...getOwnPropertyDescriptor(original, keys[i]) });
  }
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
  return put(object, key, (original) => stealthy(original, hooks));
}

// A stand-in for a function or class.
function stealthy(original, { before, after, failed }) {
  const wrapper = native.wrap(original, before, after, failed, construct);
  if (wrapper === undefined) return original;
  setPrototypeOf(wrapper, getPrototypeOf(original));
  return disguise(wrapper, original);
}

// The same for a function that does not look at `this`: a bound one shows nothing that the original has not.
function stealthyBound(original, hooks) {
  const wrapper = stealthy(original, hooks);
  return wrapper === original ? original : disguise(bind(wrapper, undefined), original);
}

// A class is also known to its prototype.
function interceptClass(object, key, hooks) {
  const wrapper = intercept(object, key, hooks);
  const descriptor = getOwnPropertyDescriptor(wrapper.prototype, 'constructor');
  if (descriptor !== undefined) defineProperty(wrapper.prototype, 'constructor', { __proto__: null, value: wrapper });
}

module.exports = { install, hide, disguise, replace, intercept, interceptClass, stealthyBound, original: (f) => shown.get(f) };

function put(object, key, wrap) {
  const descriptor = getOwnPropertyDescriptor(object, key);
  if (typeof descriptor?.value !== 'function') return undefined;
  const wrapper = wrap(descriptor.value);
  defineProperty(object, key, { __proto__: null, value: wrapper });
  return wrapper;
}
