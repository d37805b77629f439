// Messages in which V8 prints a function print the instrumented text of it. What is thrown by built-ins that look at functions
// as values, what nobody catches, and what the recorder meets is put right here.
'use strict';
const v8 = require('v8');
const { MessagePort } = require('worker_threads');
const { types } = require('util');
const { intercept } = load('load/hide.cjs');
const { exec, includes, indexOf, slice, startsWith } = load('load/primordials.cjs');

const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
const { isNativeError } = types;
// The global of this name is made when it is asked for, which the program could tell.
const DOMException = exceptionClass();
const messageGetter = getOwnPropertyDescriptor(DOMException.prototype, 'message').get;
const nameGetter = getOwnPropertyDescriptor(DOMException.prototype, 'name').get;

let native;

function exceptionClass() {
  try {
    return structuredClone(Symbol());
  } catch (error) {
    return error.constructor;
  }
}

function install(context) {
  native = context.native;
  const hooks = { failed: mended };
  intercept(globalThis, 'structuredClone', hooks);
  const { posts } = load('load/ports.cjs');
  const { quietly } = load('load/channels.cjs');
  intercept(MessagePort.prototype, 'postMessage', {
    before: quietly(posts.before),
    after: quietly(posts.after),
    failed(error) {
      posts.failed();
      return mended(error);
    },
  });
  intercept(v8, 'serialize', hooks);
}

// The error to throw in the place of this one, which is changed where that is possible; undefined: this one.
function mended(error) {
  const message = messageOfDom(error);
  // That of a DOMException cannot be changed.
  if (message !== undefined) return includes(message, MARK_OPENING) ? exceptionLike(error, message) : undefined;
  if (isNativeError(error)) mendMessage(error);
  return undefined;
}

// As soon as the recorder meets the error.
function mendNative(error) {
  if (native !== undefined && isNativeError(error)) mendMessage(error);
}

module.exports = { install, mended, mendNative };

const { MARK_OPENING } = load('contract.generated.cjs');
const MARK = load('load/marks.cjs').marks('');
// Of a text that is longer than LONGEST, V8 prints this much.
const LONGEST = 128;
const SHOWN = 111;
const OMITTED = '...<omitted>...';

function mendMessage(error) {
  const descriptor = getOwnPropertyDescriptor(error, 'message');
  if (typeof descriptor?.value !== 'string' || !includes(descriptor.value, MARK_OPENING)) return;
  const message = originalMessage(descriptor.value);
  mendStack(error, error, descriptor.value, message);
  descriptor.value = message;
  defineProperty(error, 'message', { __proto__: null, ...descriptor });
}

function exceptionLike(error, message) {
  const original = originalMessage(message);
  const made = new DOMException(original, apply(nameGetter, error, []));
  mendStack(made, error, message, original);
  return made;
}

// Undefined if it is none.
function messageOfDom(error) {
  try {
    return apply(messageGetter, error, []);
  } catch {
    return undefined;
  }
}

// To ask for the stack calls the program's own Error.prepareStackTrace, which is not called for this yet.
function mendStack(to, from, before, after) {
  if (typeof Error.prepareStackTrace === 'function') return;
  const { stack } = from;
  const at = typeof stack === 'string' ? indexOf(stack, before) : -1;
  if (at >= 0) to.stack = slice(stack, 0, at) + after + slice(stack, at + before.length);
}

// The text before the mark is the original's own beginning, and perhaps a brace; unless there are parameters with defaults:
// then all stays.
function originalMessage(message) {
  const mark = exec(MARK, message);
  if (mark === null) return message;
  const found = native.originalTextOf(parseInt(mark[1], 16));
  if (found === undefined) return message;
  const original = found[0];
  const length = found[1];
  let start = 0;
  const begins = (text) => startsWith(original, text) || startsWith(original, slice(text, 0, -1));
  while (start < mark.index - 1 && !begins(slice(message, start, mark.index))) start++;
  const omitted = indexOf(message, OMITTED, mark.index);
  const end = length <= LONGEST ? start + length : omitted + OMITTED.length + 2;
  if (start >= mark.index - 1 || (length > LONGEST && omitted < 0)) return message;
  return slice(message, 0, start) + shortened(original) + originalMessage(slice(message, end));
}

function shortened(text) {
  return text.length > LONGEST ? slice(text, 0, SHOWN) + OMITTED + slice(text, -2) : text;
}
