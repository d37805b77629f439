// Decorators, which V8 does not know: what the lowered text of crates/js-syntax/src/typescript/decorators.rs calls. These run
// code of the program, which must not notice: our frames are hidden like all of this folder's.
'use strict';
const { HELPER } = load('contract.generated.cjs');
const { SafeWeakMap, append } = load('load/primordials.cjs');

const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const { create } = Object;

// Legacy: of each class what to decorate when it is there, and what computed keys turned out to be.
const legacy = new SafeWeakMap();
let keys = [];

function legacyKey(key) {
  append(keys, (key = toKey(key)));
  return key;
}

// `key` is null for the parameters of the constructor, or [n] for the next of n computed ones.
function legacyMember(owner, decorators, key, flags) {
  let state = legacy.get(owner);
  if (state === undefined) legacy.set(owner, (state = { members: [], parameters: undefined, keys: undefined, nKeys: 0 }));
  if (key === null) state.parameters = decorators;
  else {
    if (typeof key === 'object') {
      state.keys ??= takeLast(keys, key[0]);
      key = state.keys[state.nKeys++];
    }
    append(state.members, { decorators, key, isStatic: (flags & 1) !== 0, isField: (flags & 2) !== 0 });
  }
}

function legacyEnd(owner) {
  const { members } = legacy.get(owner);
  for (let pass = 0; pass < 2; pass++) {
    for (let i = 0; i < members.length; i++) {
      const { decorators, key, isStatic, isField } = members[i];
      if (isStatic === (pass === 1)) decorateLegacy(decorators(), isStatic ? owner : owner.prototype, key, isField ? undefined : null);
    }
  }
}

function legacyClass(decorators, made) {
  const list = decorators();
  const parameters = legacy.get(made)?.parameters?.() ?? [];
  for (let i = 0; i < parameters.length; i++) append(list, parameters[i]);
  return decorateLegacy(list, made);
}

function legacyParameter(index, decorator) {
  return (target, key) => decorator(target, key, index);
}

// As TypeScript's own __decorate.
function decorateLegacy(decorators, target, key, descriptor) {
  const n = arguments.length;
  let result = n < 3 ? target : descriptor === null ? (descriptor = getOwnPropertyDescriptor(target, key)) : descriptor;
  if (typeof Reflect.decorate === 'function') result = Reflect.decorate(decorators, target, key, descriptor);
  else {
    for (let i = decorators.length - 1; i >= 0; i--) {
      const decorator = decorators[i];
      if (decorator) result = (n < 3 ? decorator(result) : decorator(target, key, result)) || result;
    }
  }
  if (n > 3 && result) defineProperty(target, key, result);
  return result;
}

// Standard: decorators wait here from the evaluation of their expressions to the first static element of their class.
let waiting = [];
let lastKey;

function decorators(list, key) {
  if (arguments.length > 1) lastKey = key = toKey(key);
  const entry = { list, key, replacement: undefined, initializers: [] };
  if (list !== null) append(waiting, entry);
  return arguments.length > 1 ? key : entry;
}

const sameKey = () => lastKey;

// `members`: [kind, isStatic], and for private ones also decorators, name, get, set, has.
function decorate(owner, name, members, hasClassDecorators) {
  let n = 0;
  for (let i = 0; i < members.length; i++) if (members[i].length === 2) n++;
  const entries = takeLast(waiting, n);
  const classEntry = hasClassDecorators ? takeLast(waiting, 1)[0] : undefined;
  const metadata = Symbol.metadata === undefined ? undefined : create(getPrototypeOf(owner)?.[Symbol.metadata] ?? null);
  const state = { fields: [], onInstance: [], replacement: owner };
  const onClass = [];
  let next = 0;
  for (let i = 0; i < members.length; i++) append(state.fields, { initial: [], after: [], member: members[i], entry: members[i].length === 2 ? entries[next++] : undefined });
  // The language applies them in this order.
  for (let pass = 0; pass < 4; pass++) {
    for (let i = 0; i < state.fields.length; i++) {
      const { member } = state.fields[i];
      if (pass === (member[0] === 'field' ? 2 : 0) + (member[1] ? 0 : 1)) {
        decorateMember(owner, state.fields[i], member[1] ? onClass : state.onInstance, metadata);
      }
    }
  }
  if (classEntry !== undefined) {
    const { list } = classEntry;
    for (let i = list.length - 1; i >= 0; i--) {
      const result = list[i](state.replacement, contextOf({ kind: 'class', name }, metadata, classEntry.initializers));
      if (result !== undefined) state.replacement = mustBeFunction(result);
    }
    classEntry.replacement = state.replacement;
  }
  if (metadata !== undefined) {
    defineProperty(state.replacement, Symbol.metadata, { __proto__: null, value: metadata, configurable: true, writable: true });
  }
  runAll(onClass, owner);
  return state;
}

// Behind all static elements.
function decorated(entry, made) {
  const result = entry.replacement ?? made;
  runAll(entry.initializers, result);
  return result;
}

function field(self, state, number, value) {
  const { initial } = state.fields[number];
  for (let i = 0; i < initial.length; i++) value = apply(initial[i], self, [value]);
  return value;
}

function behind(self, state, number) {
  runAll(state.fields[number].after, self);
}

function instance(self, state) {
  runAll(state.onInstance, self);
}

module.exports = {
  [HELPER.LEGACY_KEY]: legacyKey,
  [HELPER.LEGACY_MEMBER]: legacyMember,
  [HELPER.LEGACY_END]: legacyEnd,
  [HELPER.LEGACY_CLASS]: legacyClass,
  [HELPER.LEGACY_PARAMETER]: legacyParameter,
  [HELPER.EVALUATED_DECORATORS]: decorators,
  [HELPER.SAME_KEY]: sameKey,
  [HELPER.DECORATE]: decorate,
  [HELPER.DECORATED]: decorated,
  [HELPER.DECORATED_FIELD]: field,
  [HELPER.BEHIND_FIELD]: behind,
  [HELPER.DECORATED_INSTANCE]: instance,
};

function decorateMember(owner, entryOfField, initializers, metadata) {
  const { member, entry, initial, after } = entryOfField;
  const [kind, isStatic] = [member[0], member[1]];
  const isPrivate = entry === undefined;
  const list = isPrivate ? member[2] : entry.list;
  const name = isPrivate ? member[3] : entry.key;
  const target = isStatic ? owner : owner.prototype;
  const access = isPrivate ? { has: member[6], get: member[4], set: member[5] } : accessTo(kind, name);
  const hasInitializers = kind === 'field' || kind === 'accessor' ? after : initializers;
  let descriptor = kind === 'field' ? undefined : getOwnPropertyDescriptor(target, name);
  for (let i = list.length - 1; i >= 0; i--) {
    const context = contextOf({ kind, name, static: isStatic, private: isPrivate, access }, metadata, hasInitializers);
    if (kind === 'accessor') {
      const result = list[i]({ get: descriptor.get, set: descriptor.set }, context);
      if (result === undefined) continue;
      if (typeof result !== 'object' || result === null) throw new TypeError('Object expected');
      descriptor = { ...descriptor, get: result.get ?? descriptor.get, set: result.set ?? descriptor.set };
      if (result.init !== undefined) prepend(initial, mustBeFunction(result.init));
      continue;
    }
    const part = kind === 'method' ? 'value' : kind === 'getter' ? 'get' : kind === 'setter' ? 'set' : undefined;
    const result = list[i](part === undefined ? undefined : descriptor[part], context);
    if (result === undefined) continue;
    mustBeFunction(result);
    if (part === undefined) prepend(initial, result);
    else descriptor = { ...descriptor, [part]: result };
  }
  if (descriptor !== undefined) defineProperty(target, name, descriptor);
}

function contextOf(context, metadata, initializers) {
  context.metadata = metadata;
  context.addInitializer = (f) => append(initializers, mustBeFunction(f));
  return context;
}

function accessTo(kind, key) {
  const access = { has: (object) => key in object };
  if (kind !== 'setter') access.get = (object) => object[key];
  if (kind !== 'getter' && kind !== 'method') {
    access.set = (object, value) => {
      object[key] = value;
    };
  }
  return access;
}

function runAll(initializers, self) {
  for (let i = 0; i < initializers.length; i++) apply(initializers[i], self, []);
}

function takeLast(array, n) {
  const taken = [];
  const start = array.length - n;
  for (let i = start; i < array.length; i++) append(taken, array[i]);
  array.length = start;
  return taken;
}

// The first in the text has the last word.
function prepend(array, item) {
  append(array, item);
  for (let i = array.length - 1; i > 0; i--) array[i] = array[i - 1];
  array[0] = item;
}

function mustBeFunction(value) {
  if (typeof value !== 'function') throw new TypeError('Function expected');
  return value;
}

function toKey(key) {
  return typeof key === 'symbol' ? key : `${key}`;
}
