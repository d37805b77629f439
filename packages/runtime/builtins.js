// Evaluates to installBuiltins(realm, recorder, hide), once make-runtime.js put numbers in the place of names: wraps, in the realm that evaluates this, the built-ins that change
// objects and that the source does not show. `hide(wrapper, original)` is told each pair, so that Function.prototype.toString
// and stack traces do not show the wrapper.
//
// A wrapper forwards what it got, `this` and the number of arguments included, and speaks when the original returned normally;
// of one that may throw half way, the object is looked at then. It asks the objects concerned nothing unless the recorder knows them: then they are no proxies, and their
// contents were taken before. An object not yet taken needs no effect, since its contents are taken at its first use; but where only
// some properties are recorded that may be much later, so there it is looked at before one of these is changed.
(function installBuiltins(realm, recorder, hide) {
  'use strict';
  const { Reflect, Object, Array, Map, Set, WeakMap, WeakSet, Int8Array, Date } = realm;
  // A vm context may have another thing of this name.
  const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect ?? realm.tools;
  const { isArray } = Array;
  const { isSparse, needsElements, isNeeded, holdsNeeded, meet } = recorder;
  const { isTaken, effect0, effect1, effect2, effectList, effectOwn, refill, restrict, arrayMayHaveAccessors } = recorder;

  // A property that cannot be replaced (--frozen-intrinsics) keeps the original.
  function replace(holder, makeWrappers) {
    const original = { __proto__: null };
    const wrappers = makeWrappers(original);
    const names = ownKeys(wrappers);
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      const described = getOwnPropertyDescriptor(holder, name);
      if (described === undefined || typeof described.value !== 'function') continue;
      const wrapper = wrappers[name];
      original[name] = described.value;
      defineProperty(wrapper, 'length', { __proto__: null, value: described.value.length });
      if (defineProperty(holder, name, { __proto__: null, value: wrapper })) hide(wrapper, described.value);
      // Then accessors may be defined unseen.
      else arrayMayHaveAccessors([]);
    }
  }

  const ArrayPrototype = Array.prototype;
  const { push, pop, shift, unshift, splice } = ArrayPrototype;

  if (needsElements) replace(ArrayPrototype, (original) => ({
    push(item) {
      if (isSparse) meet(this);
      // Forwarded and not used otherwise, `arguments` is never made.
      if (arguments.length !== 1) return apply(pushMany, this, arguments);
      const length = apply(push, this, [item]);
      if (isTaken(this)) pushed(this, item);
      return length;
    },
    pop() {
      if (isSparse) meet(this);
      const item = apply(pop, this, arguments);
      if (isTaken(this)) removed(OPERATION.POP, this);
      return item;
    },
    shift() {
      if (isSparse) meet(this);
      let isDone = false;
      try {
        const item = apply(shift, this, arguments);
        isDone = true;
        if (isTaken(this)) removed(OPERATION.SHIFT, this);
        return item;
      } finally {
        if (!isDone) leftHalfDone(this);
      }
    },
    unshift(item) {
      if (isSparse) meet(this);
      let isDone = false;
      try {
        const length = apply(unshift, this, arguments);
        isDone = true;
        if (isTaken(this)) added(OPERATION.UNSHIFT, this, arguments);
        return length;
      } finally {
        if (!isDone) leftHalfDone(this);
      }
    },
    splice(start, deleteCount) {
      if (isSparse) meet(this);
      const before = isTaken(this) && isArray(this) ? this.length : -1;
      let isDone = false;
      try {
        const deleted = apply(splice, this, arguments);
        isDone = true;
        if (isTaken(this)) spliced(this, before, arguments);
        return deleted;
      } finally {
        if (!isDone) leftHalfDone(this);
      }
    },
    ...refilling(original, ['reverse', 'fill', 'copyWithin', 'sort']),
  }));

  function pushMany() {
    let isDone = false;
    try {
      const length = apply(push, this, arguments);
      isDone = true;
      if (isTaken(this)) added(OPERATION.PUSH, this, arguments);
      return length;
    } finally {
      if (!isDone) leftHalfDone(this);
    }
  }

  function leftHalfDone(object) {
    if (isTaken(object)) refill(object);
  }

  function pushed(array, item) {
    if (isArray(array)) effect1(OPERATION.PUSH, array, item);
    else refill(array);
  }

  function added(operation, array, items) {
    if (isArray(array)) effectList(operation, array, items);
    else refill(array);
  }

  function removed(operation, array) {
    if (isArray(array)) effect0(operation, array);
    else refill(array);
  }

  // Start and count are computed again only from numbers: converting anything else could run user code a second time.
  function spliced(array, before, given) {
    const n = given.length;
    if (n === 0) return;
    if (before < 0 || !isIndex(given[0]) || (n > 1 && !isIndex(given[1]))) {
      refill(array);
      return;
    }
    const relative = toInteger(given[0]);
    const start = relative < 0 ? atLeast(0, before + relative) : atMost(before, relative);
    const count = n === 1 ? before - start : atMost(before - start, atLeast(0, toInteger(given[1])));
    const values = { __proto__: null, length: n < 2 ? 2 : n, 0: start, 1: count };
    for (let i = 2; i < n; i++) values[i] = given[i];
    effectList(OPERATION.SPLICE, array, values);
  }

  const isIndex = (x) => typeof x === 'number' || x === undefined;
  const atLeast = (a, b) => (a > b ? a : b);
  const atMost = (a, b) => (a < b ? a : b);

  function toInteger(x) {
    if (x === undefined || x !== x) return 0;
    return x === Infinity || x === -Infinity ? x : x - (x % 1);
  }

  // Methods after which the whole is looked at again.
  function refilling(original, names) {
    const wrappers = { __proto__: null };
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      const { [name]: wrapper } = {
        [name]() {
          if (isSparse) meet(this);
          try {
            return apply(original[name], this, arguments);
          } finally {
            if (isTaken(this)) refill(this);
          }
        },
      };
      wrappers[name] = wrapper;
    }
    return wrappers;
  }

  if (needsElements) replace(getPrototypeOf(Int8Array.prototype), (original) => refilling(original, ['set', 'fill', 'sort', 'reverse', 'copyWithin']));

  if (needsElements) replace(Date.prototype, (original) => refilling(original, [
    'setTime', 'setMilliseconds', 'setUTCMilliseconds', 'setSeconds', 'setUTCSeconds', 'setMinutes', 'setUTCMinutes', 'setHours', 'setUTCHours',
    'setDate', 'setUTCDate', 'setMonth', 'setUTCMonth', 'setFullYear', 'setUTCFullYear', 'setYear',
  ]));

  const mapLike = (holder) => {
    const { set, delete: remove, clear } = holder.prototype;
    replace(holder.prototype, () => ({
      set(key, value) {
        if (isSparse) meet(this);
        const result = apply(set, this, [key, value]);
        if (isTaken(this)) effect2(OPERATION.MAP_SET, this, key, value);
        return result;
      },
      delete(key) {
        if (isSparse) meet(this);
        const was = apply(remove, this, [key]);
        if (was && isTaken(this)) effect1(OPERATION.DELETE, this, key);
        return was;
      },
      clear() {
        if (isSparse) meet(this);
        apply(clear, this, []);
        if (isTaken(this)) effect0(OPERATION.CLEAR, this);
      },
    }));
  };

  const setLike = (holder) => {
    const { add, delete: remove, clear } = holder.prototype;
    replace(holder.prototype, () => ({
      add(value) {
        if (isSparse) meet(this);
        const result = apply(add, this, [value]);
        if (isTaken(this)) effect1(OPERATION.SET_ADD, this, value);
        return result;
      },
      delete(value) {
        if (isSparse) meet(this);
        const was = apply(remove, this, [value]);
        if (was && isTaken(this)) effect1(OPERATION.DELETE, this, value);
        return was;
      },
      clear() {
        if (isSparse) meet(this);
        apply(clear, this, []);
        if (isTaken(this)) effect0(OPERATION.CLEAR, this);
      },
    }));
  };

  if (needsElements) {
    mapLike(Map);
    mapLike(WeakMap);
    setLike(Set);
    setLike(WeakSet);
  }

  function meetFor(object, key) {
    if (isSparse && isNeeded(key)) meet(object);
  }

  // An element that is an accessor can only come from here, and forbids the fast way of reading arrays.
  function defined(object, key) {
    arrayMayHaveAccessors(object);
    if (!isNeeded(key) || !isTaken(object)) return;
    if (typeof key === 'object' || typeof key === 'function') refill(object);
    else effectOwn(OPERATION.DEFINE_PROPERTY, object, key);
  }

  function restricted(operation, object) {
    effect0(operation, object);
    restrict(object);
  }

  replace(Object, (original) => ({
    assign(target, source) {
      if (isSparse) {
        if (!holdsNeeded(arguments, 1)) return apply(original.assign, this, arguments);
        meet(target);
      }
      try {
        return apply(original.assign, this, arguments);
      } finally {
        if (isTaken(target)) refill(target);
      }
    },
    defineProperty(object, key, attributes) {
      meetFor(object, key);
      const result = apply(original.defineProperty, this, arguments);
      defined(object, key);
      return result;
    },
    defineProperties(object, properties) {
      if (isSparse) meet(object);
      try {
        return apply(original.defineProperties, this, arguments);
      } finally {
        arrayMayHaveAccessors(object);
        if (isTaken(object)) refill(object);
      }
    },
    setPrototypeOf(object, prototype) {
      if (isSparse) meet(object);
      const result = apply(original.setPrototypeOf, this, arguments);
      if (isTaken(object)) effect1(OPERATION.SET_PROTOTYPE, object, prototype);
      return result;
    },
    freeze(object) {
      const result = apply(original.freeze, this, arguments);
      if (isTaken(object)) restricted(OPERATION.FREEZE, object);
      return result;
    },
    seal(object) {
      const result = apply(original.seal, this, arguments);
      if (isTaken(object)) restricted(OPERATION.SEAL, object);
      return result;
    },
    preventExtensions(object) {
      const result = apply(original.preventExtensions, this, arguments);
      if (isTaken(object)) restricted(OPERATION.PREVENT_EXTENSIONS, object);
      return result;
    },
  }));

  replace(Object.prototype, (original) => ({
    __defineGetter__(key, getter) {
      meetFor(this, key);
      const result = apply(original.__defineGetter__, this, arguments);
      defined(this, key);
      return result;
    },
    __defineSetter__(key, setter) {
      meetFor(this, key);
      const result = apply(original.__defineSetter__, this, arguments);
      defined(this, key);
      return result;
    },
  }));

  if (Reflect !== undefined) replace(Reflect, (original) => ({
    set(target, key, value, receiver) {
      const object = arguments.length > 3 ? receiver : target;
      meetFor(object, key);
      const done = apply(original.set, this, arguments);
      if (done && isTaken(object)) {
        if (typeof key === 'object' || typeof key === 'function') refill(object);
        else effectOwn(OPERATION.SET_PROPERTY, object, key);
      }
      return done;
    },
    defineProperty(object, key, attributes) {
      meetFor(object, key);
      const done = apply(original.defineProperty, this, arguments);
      if (done) defined(object, key);
      return done;
    },
    deleteProperty(object, key) {
      meetFor(object, key);
      const done = apply(original.deleteProperty, this, arguments);
      if (done && isNeeded(key) && isTaken(object)) {
        if (typeof key === 'object' || typeof key === 'function') refill(object);
        else effect1(OPERATION.DELETE_PROPERTY, object, key);
      }
      return done;
    },
    setPrototypeOf(object, prototype) {
      if (isSparse) meet(object);
      const done = apply(original.setPrototypeOf, this, arguments);
      if (done && isTaken(object)) effect1(OPERATION.SET_PROTOTYPE, object, prototype);
      return done;
    },
    preventExtensions(object) {
      const done = apply(original.preventExtensions, this, arguments);
      if (done && isTaken(object)) restricted(OPERATION.PREVENT_EXTENSIONS, object);
      return done;
    },
  }));
})
