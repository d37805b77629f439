// Evaluates to createRecorder(options): the part of Wherefore that writes events inside the debuggee.
//
// The events are 32-bit words in a ring of chunks (crates/trace-format/README.md draws them). Three rules hold everywhere:
//
// - An event's header is stored last, and the cursor moves after it: a killed process leaves a whole event or none. So
//   whatever an event refers to (a string, a symbol, a look at an object) is written completely before the event's own
//   first word.
// - No user code runs: no getter, no proxy trap, no patched built-in. All built-ins are captured here, at creation, and
//   called through captured functions; arrays are filled before use, so that a store never meets a setter on a prototype.
// - Nothing is kept alive but a bounded set of strings, dropped with every chunk.
//
// An object's number is its stamp: a V8 private symbol, which no program can see and which frozen objects take as well.
// A positive stamp means that the contents were taken; a negative one that the object was only met inside another one, or, below
// RESTRICTED, that they were taken and the object may refuse a write without a word (it is frozen, has an accessor, …).
// Proxies take no stamp, which is how they are recognised; they have a WeakMap.
//
// Options:
//   words              Int32Array over all chunks
//   state              Float64Array or Int32Array of 2: [first free word, limit] of the chunk being written. A check of the
//                      room is `cursor > limit`; the limit lies SLACK (64K words) before the end of the chunk.
//   advance(cursor)    ends the chunk at cursor, waits for a free one and puts its start and limit into `state`
//   idSymbol           a V8 private symbol, or undefined: then stamps are kept in a WeakMap
//   siteNames(site)    keys of an ObjectLiteral site, key of a Put    arity(site)   number of elements of an ArrayLiteral site
//   isAssignment(site) whether a site records an assignment to a property, behind it; not there if nobody knows the sites
//   isProxy(o)         needed only without idSymbol, and to record only some properties
//   isFiltered         whether some sites emit nothing: then every helper looks for room itself
//   needed             [elements, name, …]: only properties of these names are recorded, and elements if so; not there: all are
//   opaque             array of objects whose contents are not taken (process, …)
//   otherKinds         [isMap, isSet, isDate, isRegExp, isNativeError, isPromise, isArrayBufferView, isAnyArrayBuffer,
//                      isBoxedPrimitive, isWeakMap, isWeakSet], for objects of other realms
//   mendMessage(e)     puts the message of an error right where V8 prints instrumented text in it; not there if there is none
//   entriesOf(o)       what a WeakMap (keys and values in turn) or WeakSet holds; not there if nobody can tell
//   watchesDefinitions whether builtins.js tells of every array and prototype that may have got an accessor as an element
//   x(e, s)            instruments the text of a direct eval
(function createRecorder(options) {
  'use strict';
  // What the helpers use on every event is `var`: of a `let` or `const` V8 would check each time that it is initialised.
  var { words, state, advance, idSymbol, siteNames, arity, isAssignment } = options;
  const isProxy = options.isProxy ?? (() => false);
  const { entriesOf, mendMessage } = options;
  const evalText = options.x ?? ((e, s) => s);

  // ---------------------------------------------------------------------------------------------------- captured built-ins

  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf, isExtensible, apply } = Reflect;
  const { isArray } = Array;
  const { isView } = ArrayBuffer;
  const { keys: enumerableKeys } = Object;
  const ObjectPrototype = Object.prototype;
  const ArrayPrototype = Array.prototype;
  const FunctionPrototype = Function.prototype;
  const { iterator: iteratorSymbol, toStringTag } = Symbol;
  const arrayValues = ArrayPrototype[iteratorSymbol];
  const hasOwn = uncurry(ObjectPrototype.hasOwnProperty);
  const some = uncurry(ArrayPrototype.some);
  const charCodeAt = uncurry(String.prototype.charCodeAt);
  const getter = (prototype, key) => uncurry(getOwnPropertyDescriptor(prototype, key).get);
  const weakGet = uncurry(WeakMap.prototype.get);
  const weakSet = uncurry(WeakMap.prototype.set);
  const mapGet = uncurry(Map.prototype.get);
  const mapSet = uncurry(Map.prototype.set);
  const mapEntries = uncurry(Map.prototype.entries);
  const mapNext = uncurry(getPrototypeOf(new Map().entries()).next);
  const mapSize = getter(Map.prototype, 'size');
  const setValues = uncurry(Set.prototype.values);
  const setNext = uncurry(getPrototypeOf(new Set().values()).next);
  const setSize = getter(Set.prototype, 'size');
  const setHas = uncurry(Set.prototype.has);
  const weakMapHas = uncurry(WeakMap.prototype.has);
  const weakSetHas = uncurry(WeakSet.prototype.has);
  const TypedArrayPrototype = getPrototypeOf(Int8Array.prototype);
  const typedLength = getter(TypedArrayPrototype, 'length');
  const bufferLength = getter(ArrayBuffer.prototype, 'byteLength');
  const BytesOf = Uint8Array;
  const sortNumbers = uncurry(TypedArrayPrototype.sort);
  const dateTime = uncurry(Date.prototype.getTime);
  const regExpSource = getter(RegExp.prototype, 'source');
  const symbolDescription = getter(Symbol.prototype, 'description');
  const unbox = [Number, String, Boolean, Symbol, BigInt].map((c) => uncurry(c.prototype.valueOf));
  const theGlobal = globalThis;

  // ------------------------------------------------------------------------------------------------------- cursor and room

  // Made integers, or V8 would keep them as boxed doubles.
  var cursor = state[0] | 0;
  var limit = state[1] | 0;
  var frames = 0;
  var objects = 0;
  var strings = 0;
  var symbols = 0;

  // See rehearse.
  var isRehearsal = false;

  function nextChunk() {
    if (isRehearsal) {
      limit = NO_LIMIT;
      return;
    }
    advance(cursor);
    cursor = state[0] | 0;
    limit = state[1] | 0;
    for (let i = 0; i < CACHE + LONG_CACHE; i++) cachedText[i] = undefined;
  }

  function ensure(n) {
    if (cursor + n > limit) nextChunk();
  }

  // -------------------------------------------------------------------------------------------------------- what is needed

  const isSparse = options.needed !== undefined;
  const needsElements = !isSparse || options.needed[0];
  const neededNames = isSparse ? options.needed.slice(1) : [];
  const neededSet = new Set(neededNames);

  // Whether writes under a key are recorded. An object becomes a key that nobody knows, and may be any.
  function isNeeded(key) {
    if (!isSparse || isObject(key)) return true;
    if (typeof key === 'number' || typeof key === 'bigint') return needsElements;
    if (typeof key === 'symbol') return false;
    if (typeof key !== 'string') return setHas(neededSet, `${key}`);
    if (setHas(neededSet, key)) return true;
    if (!needsElements || key === '') return false;
    const first = charCodeAt(key, 0);
    return key === 'length' || (first >= 48 && first <= 57);
  }

  // Whether copying these objects into another one can write a property that is recorded.
  function holdsNeeded(sources, first) {
    if (needsElements) return true;
    for (let i = first; i < sources.length; i++) {
      const source = sources[i];
      if (!isObject(source)) continue;
      if (isProxy(source)) return true;
      for (let k = 0; k < neededNames.length; k++) if (hasOwn(source, neededNames[k])) return true;
    }
    return false;
  }

  // ------------------------------------------------------------------------------------------------ values: tag, low, high

  // The value encoded last.
  var tag = 0;
  var low = 0;
  var high = 0;
  var float = new Float64Array(1);
  var halves = new Int32Array(float.buffer);
  // Stores a double into the words at once. As an own property V8 knows which function it is, and compiles the store in place.
  // It throws behind the end, so who calls it has looked for room just before.
  var doubles = new DataView(words.buffer, words.byteOffset, words.byteLength);
  doubles.put = doubles.setFloat64;

  // An object or function counts as used directly: its contents are taken if they were not yet.
  function encode(x) {
    switch (typeof x) {
      case 'number':
        encodeNumber(x);
        break;
      case 'string':
        encodeString(x);
        break;
      case 'object':
        if (x === null) tag = 2;
        else {
          low = use(x);
          tag = 8;
        }
        break;
      case 'function':
        low = use(x);
        tag = 8;
        break;
      default:
        encodeRare(x);
    }
  }

  function encodeNumber(x) {
    if ((x | 0) === x && (x !== 0 || 1 / x > 0)) {
      tag = 5;
      low = x;
    } else {
      float[0] = x;
      tag = 6;
      low = halves[0];
      high = halves[1];
    }
  }

  const HUGE = 1n << 4096n;

  function encodeRare(x) {
    switch (typeof x) {
      case 'undefined':
        tag = 1;
        break;
      case 'boolean':
        tag = x ? 4 : 3;
        break;
      case 'symbol':
        low = symbolNumber(x);
        tag = 9;
        break;
      case 'bigint':
        if (x > HUGE || x < -HUGE) tag = 11;
        else {
          low = stringNumber(`${x}`);
          tag = 10;
        }
        break;
      default:
        tag = 11;
    }
  }

  // ------------------------------------------------------------------------------------------------------ strings, symbols

  const SHORT = 256;
  const LONGEST = 65536;
  const CACHE = 4096;
  const LONG_CACHE = 16;
  const cachedText = new Array(CACHE + LONG_CACHE).fill(undefined);
  const cachedNumber = new Int32Array(CACHE + LONG_CACHE);
  // Reading a string that was put together by + makes V8 copy it, so a program that builds a long one step by step would
  // become quadratic. Long strings are therefore read only as far as credit goes, which grows with each string seen.
  const CREDIT_A_STRING = 32;
  const MOST_CREDIT = 1 << 24;
  var credit = 1 << 20;

  function encodeString(s) {
    const length = s.length;
    if (length <= SHORT) {
      tag = 7;
      low = shortNumber(s, length);
      return;
    }
    if (credit < MOST_CREDIT) credit += CREDIT_A_STRING;
    if (length > LONGEST || length > credit) {
      tag = 12;
      low = length;
      return;
    }
    const slot = CACHE + (length & (LONG_CACHE - 1));
    tag = 7;
    if (cachedText[slot] === s) low = cachedNumber[slot];
    else {
      credit -= length;
      low = writeString(s, length, slot);
    }
  }

  function shortNumber(s, length) {
    let hash = length;
    if (length > 0) {
      const middle = length >> 1;
      hash += charCodeAt(s, 0) * 7 + charCodeAt(s, middle) * 97 + charCodeAt(s, length - 1) * 677 + charCodeAt(s, middle >> 1) * 31;
    }
    const slot = hash & (CACHE - 1);
    if (cachedText[slot] === s) return cachedNumber[slot];
    return writeString(s, length, slot);
  }

  // For names and digits, which are always taken.
  function stringNumber(s) {
    const length = s.length;
    if (length <= SHORT) return shortNumber(s, length);
    if (length > LONGEST) return 0;
    return writeString(s, length, CACHE + (length & (LONG_CACHE - 1)));
  }

  function writeString(s, length, slot) {
    ensure((length >> 1) + 2);
    if (!writeLatin1(s, length)) writeUtf16(s, length);
    strings++;
    cachedText[slot] = s;
    cachedNumber[slot] = strings;
    return strings;
  }

  function writeLatin1(s, length) {
    let at = cursor;
    let word = 0;
    for (let i = 0; i < length; i++) {
      const unit = charCodeAt(s, i);
      if (unit > 255) return false;
      word |= unit << ((i & 3) << 3);
      if ((i & 3) === 3) {
        words[++at] = word;
        word = 0;
      }
    }
    if ((length & 3) !== 0) words[++at] = word;
    words[cursor] = (length << 12) | 0x1f;
    cursor = at + 1;
    return true;
  }

  function writeUtf16(s, length) {
    let at = cursor;
    for (let i = 0; i + 1 < length; i += 2) words[++at] = charCodeAt(s, i) | (charCodeAt(s, i + 1) << 16);
    if ((length & 1) !== 0) words[++at] = charCodeAt(s, length - 1);
    words[cursor] = (length << 12) | 0x2f;
    cursor = at + 1;
  }

  const symbolNumbers = new WeakMap();
  const registeredSymbols = new Map();

  function symbolNumber(symbol) {
    const known = weakGet(symbolNumbers, symbol) ?? mapGet(registeredSymbols, symbol);
    if (known !== undefined) return known;
    const description = symbolDescription(symbol);
    const text = description === undefined ? 0 : stringNumber(description);
    ensure(2);
    words[cursor + 1] = text;
    words[cursor] = 0x8f;
    cursor += 2;
    symbols++;
    try {
      weakSet(symbolNumbers, symbol, symbols);
    } catch {
      // A symbol of Symbol.for, or a V8 without symbols as weak keys.
      mapSet(registeredSymbols, symbol, symbols);
    }
    return symbols;
  }

  // -------------------------------------------------------------------------------------------------------------- identity

  const weakStamps = new WeakMap();

  // The helpers read `(idSymbol === undefined ? weakStamp(o) : o[idSymbol]) | 0` themselves: V8 folds the question.
  function weakStamp(o) {
    return weakGet(weakStamps, o);
  }

  function stampOf(o) {
    return idSymbol === undefined ? weakStamp(o) : o[idSymbol];
  }

  var RESTRICTED = -(2 ** 30);

  // Whether an object may refuse a write without a word. Its stamp tells, so that writes to all others need not ask.
  function isRestricted(o) {
    return stampOf(o) < RESTRICTED;
  }

  function restrict(o) {
    if (isAssignment === undefined) return;
    const stamp = stampOf(o);
    if (stamp > 0 && stamp < -RESTRICTED) setStamp(o, RESTRICTED - stamp);
  }

  // Of an object that was numbered.
  function numberOf(o) {
    const stamp = stampOf(o);
    if (stamp > 0) return stamp;
    return stamp < RESTRICTED ? RESTRICTED - stamp : -stamp;
  }

  // False for what takes no stamp: proxies, and the opaque objects of WebAssembly.
  function setStamp(o, stamp) {
    if (idSymbol === undefined) {
      if (isProxy(o)) return false;
      weakSet(weakStamps, o, stamp);
      return true;
    }
    try {
      o[idSymbol] = stamp;
    } catch {
      return false;
    }
    return o[idSymbol] === stamp;
  }

  // V8 compiles in place that a field is defined, but not that a private symbol is assigned which the object does not have yet
  // (8 ns instead of 16). So a new object becomes an instance of a class that has the stamp as a field. It would throw for what
  // takes no field any more, and ask proxies: this is for objects that nobody has had yet. The constructor is written out because
  // the one that V8 11 makes spreads its arguments, with an iterator that the program may have replaced.
  const DEFINES_STAMP = 'let number=0;class Stamped extends(function(o){return o}){constructor(o){super(o)}[id]=number}';

  // Adding the stamp to a fresh object costs 15 ns where V8 has seen few shapes, and 100 ns where it has seen many. So births
  // go through functions of their own, one for each site (as far as 1,024 go), made from text so that each has its own
  // inline caches. A program run without code generation does without.
  const STAMPERS = 1024;
  const stampers = new Array(STAMPERS).fill(undefined);
  const TheFunction = Function;
  // Under this name load/stack.cjs does not show them. A path would not do: V8 ignores names with blanks.
  const NAMED_OURS = '\n//# sourceURL=wherefore:made';

  function newStamper(slot) {
    let stamper = setStampIfNone;
    if (idSymbol !== undefined) {
      try {
        stamper = TheFunction('id', `return function(o,n){if(o[id]!==undefined)return false;try{o[id]=n}catch{}return o[id]===n}//${slot}${NAMED_OURS}`)(idSymbol);
      } catch {
        // Code generation is off.
      }
    }
    stampers[slot] = stamper;
    return stamper;
  }

  function setStampIfNone(o, stamp) {
    return stampOf(o) === undefined && setStamp(o, stamp);
  }

  // The same for objects that have no number, mostly under construction. These functions give the number of the prototype, which is
  // known here too.
  const freshStampers = new Array(STAMPERS).fill(undefined);
  const NOT_STAMPED = -(2 ** 31);

  function newFreshStamper(slot) {
    let stamper = stampFresh;
    if (idSymbol !== undefined) {
      try {
        const text = `return function(o,n){try{o[id]=n}catch{}if(o[id]!==n)return none;const p=prototypeOf(o);return p===null?0:p[id]|0}//${slot}${NAMED_OURS}`;
        stamper = TheFunction('id', 'none', 'prototypeOf', text)(idSymbol, NOT_STAMPED, getPrototypeOf);
      } catch {
        // Code generation is off.
      }
    }
    freshStampers[slot] = stamper;
    return stamper;
  }

  function stampFreshAtSite(S, o, stamp) {
    const slot = (S >>> 4) & (STAMPERS - 1);
    return (freshStampers[slot] ?? newFreshStamper(slot))(o, stamp);
  }

  function stampFresh(o, stamp) {
    if (!setStampIfNone(o, stamp)) return NOT_STAMPED;
    const prototype = getPrototypeOf(o);
    return prototype === null ? 0 : stampOf(prototype) | 0;
  }

  // Numbers an object that has no number yet; false if it has one, or takes none.
  function stampAtSite(S, o, stamp) {
    const slot = (S >>> 4) & (STAMPERS - 1);
    return (stampers[slot] ?? newStamper(slot))(o, stamp);
  }

  const unstampable = new WeakMap();

  // The number of an object that is used directly.
  function use(o) {
    const stamp = stampOf(o);
    if (stamp > 0) return stamp;
    if (stamp < RESTRICTED) return RESTRICTED - stamp;
    const id = stamp === undefined ? objects + 1 : -stamp;
    if (!setStamp(o, id)) return useUnstampable(o);
    if (stamp === undefined) objects = id;
    takeLook(o, id);
    return id;
  }

  // As use, for an object without a number at a site: most were just made, and are empty.
  function useFresh(S, o) {
    const id = objects + 1;
    const prototypeNumber = stampFreshAtSite(S, o, id);
    if (prototypeNumber === NOT_STAMPED) return use(o);
    objects = id;
    if (isEmptyInstance(o, prototypeNumber)) emptyInstanceLook(id, prototypeNumber);
    else if (isEmptyArray(o, prototypeNumber)) emptyLook(ARRAY, id, arrayPrototypeNumber, 0, o.length);
    else takeLook(o, id);
    return id;
  }


  // The number of an object that is only mentioned: its contents are taken when it is used.
  function mention(o) {
    const stamp = stampOf(o);
    if (stamp > 0) return stamp;
    if (stamp !== undefined) return numberOf(o);
    const id = objects + 1;
    if (!setStamp(o, -id)) return useUnstampable(o);
    objects = id;
    return id;
  }

  function useUnstampable(o) {
    const known = weakGet(unstampable, o);
    if (known !== undefined) return known;
    const id = ++objects;
    weakSet(unstampable, o, id);
    ensure(6);
    words[cursor + 1] = id;
    words[cursor + 2] = 0;
    words[cursor + 3] = 0;
    words[cursor + 4] = 0;
    words[cursor + 5] = 0;
    words[cursor] = (10 << 12) | 0x3f;
    cursor += 6;
    return id;
  }

  var isObject = (x) => (typeof x === 'object' && x !== null) || typeof x === 'function';

  // ------------------------------------------------------------------------------------------------------------------ looks

  const MOST_ELEMENTS = 1000;
  const MOST_BYTES = 64;
  const MOST_PROPERTIES = 256;
  const MOST_ENTRIES = 5000;
  const PLAIN = 0, ARRAY = 1, FUNCTION = 2, INSTANCE = 3, MAP = 4, SET = 5, DATE = 6, REGEXP = 7, ERROR = 8, PROMISE = 9,
    BINARY = 11, BOXED = 12, ARGUMENTS = 13, WEAK = 14, NAMESPACE = 15;

  const opaque = new WeakMap();
  weakSet(opaque, theGlobal, true);
  for (const o of options.opaque ?? []) weakSet(opaque, o, true);

  // Whether an own index of some array may be an accessor; set by the wrapper of Object.defineProperty.
  let arraysHaveAccessors = options.watchesDefinitions === false;
  let holesAreSafe = options.watchesDefinitions === true;

  // The look being collected: LOOK_HEAD words, then the entries. An entry takes at most 6 words.
  const LOOK_HEAD = 6;
  var scratch = new Int32Array(LOOK_HEAD + 6 * (MOST_ELEMENTS + 3));
  var filled = 0;
  var entries = 0;
  // Objects met in a look that are to be looked at as well, breadth first.
  const queue = new Array(MOST_ENTRIES).fill(null);
  var queued = 0;
  var budget = 0;

  // Writes what a stamped object holds, and with it the plain objects and arrays inside.
  function takeLook(o, number) {
    budget = MOST_ENTRIES;
    queued = 0;
    lookAt(o, number, -1);
    for (let i = 0; i < queued; i++) {
      const inner = queue[i];
      queue[i] = null;
      if (isTaken(inner) || budget <= 0) continue;
      const id = numberOf(inner);
      setStamp(inner, id);
      lookAt(inner, id, -1);
    }
  }

  // Whether the look being made leaves entries out.
  let cut = false;
  const CUT = 16 << 12;

  function lookAt(o, number, knownClass) {
    filled = LOOK_HEAD;
    entries = 0;
    cut = false;
    mayRefuse = false;
    let size = 0;
    let name = 0;
    const prototype = getPrototypeOf(o);
    const prototypeNumber = prototype === null ? 0 : prototype === ArrayPrototype ? numberOfArrayPrototype() : mention(prototype);
    let kind = knownClass < 0 ? classOf(o, prototype, prototypeNumber) : knownClass;
    if (kind === FUNCTION) name = nameOf(o);
    else if (kind !== PLAIN && prototype !== null && prototype !== ArrayPrototype) {
      const slot = prototypeNumber & (NAMED_PROTOTYPES - 1);
      name = namesOfPrototypes[slot];
      if (namedPrototypes[slot] !== prototypeNumber) {
        namedPrototypes[slot] = prototypeNumber;
        namesOfPrototypes[slot] = name = constructorName(prototype);
        // What instances inherit is told once, behind the first of them.
        if (isMentioned(prototype) && mapGet(classes, prototype) === undefined && queued < MOST_ENTRIES) queue[queued++] = prototype;
      }
    }
    switch (kind) {
      case FUNCTION:
      case PROMISE:
      case NAMESPACE:
        cut = true;
        break;
      case WEAK:
        if (needsElements) size = takeWeak(o);
        break;
      case ARRAY:
      case ARGUMENTS:
        size = o.length;
        if (needsElements) takeElements(o, size, prototype);
        else takeNeeded(o);
        break;
      case MAP:
        size = mapSize(o);
        if (needsElements) {
          takeMap(o);
          cut = entries < size;
        }
        break;
      case SET:
        size = setSize(o);
        if (needsElements) {
          takeSet(o);
          cut = entries < size;
        }
        break;
      case BINARY:
        if (needsElements) {
          size = takeBinary(o);
          cut = entries < size;
        }
        break;
      case DATE:
      case REGEXP:
      case BOXED:
        takeInternal(o, kind);
        size = 1;
        break;
      default:
        // Of an error, its message tells a person what it is.
        if (kind === ERROR) putMessageRight(o);
        size = isSparse && kind !== ERROR ? takeNeeded(o) : takeProperties(o);
        if (kind === PLAIN && looksLikeArguments) kind = ARGUMENTS;
    }
    ensure(filled);
    const at = cursor;
    words[at + 1] = number;
    words[at + 2] = prototypeNumber;
    words[at + 3] = name;
    words[at + 4] = size;
    words[at + 5] = entries;
    for (let i = LOOK_HEAD; i < filled; i++) words[at + i] = scratch[i];
    words[at] = (kind << 12) | (cut ? CUT : 0) | 0x3f;
    cursor = at + filled;
    budget -= entries;
    if (mayRefuse || !isExtensible(o)) restrict(o);
    if (constructor !== undefined) {
      const f = constructor;
      constructor = undefined;
      effectOwn(DEFINE, f, 'prototype');
    }
  }

  // Whether it is known what instances with this prototype are.
  function isKnownPrototype(number) {
    const at = number & (NAMED_PROTOTYPES - 1);
    return number > 0 && instancePrototypes[at] === number && namedPrototypes[at] === number;
  }

  // Whether a look would find nothing in an object that was just numbered, and nothing about it that is out of the ordinary. The
  // prototype is known by its number, or its negative if it was only mentioned.
  function isEmptyInstance(o, prototypeNumber) {
    if (!isKnownPrototype(prototypeNumber) || typeof o !== 'object' || isArray(o) || isOpaque(o)) return false;
    const holds = isSparse ? needsElements || hasNeeded(o) : enumerableKeys(o).length > 0 || ownKeys(o).length > 0;
    return !holds && isExtensible(o);
  }

  function isEmptyArray(o, prototypeNumber) {
    if (arrayPrototypeNumber === 0 || (prototypeNumber !== arrayPrototypeNumber && prototypeNumber !== -arrayPrototypeNumber)) return false;
    return isArray(o) && !(isSparse && hasNeeded(o)) && hasNoElement(o, ArrayPrototype) && isExtensible(o);
  }

  function emptyInstanceLook(id, prototypeNumber) {
    emptyLook(INSTANCE, id, prototypeNumber, namesOfPrototypes[prototypeNumber & (NAMED_PROTOTYPES - 1)], 0);
  }

  function emptyLook(kind, id, prototypeNumber, name, size) {
    if (cursor > limit) nextChunk();
    const at = cursor;
    words[at + 1] = id;
    words[at + 2] = prototypeNumber;
    words[at + 3] = name;
    words[at + 4] = size;
    words[at + 5] = 0;
    words[at] = (kind << 12) | 0x3f;
    cursor = at + LOOK_HEAD;
  }

  const opaqueObjects = options.opaque ?? [];

  function isOpaque(o) {
    for (let i = 0; i < opaqueObjects.length; i++) if (opaqueObjects[i] === o) return true;
    return false;
  }

  function hasNeeded(o) {
    for (let i = 0; i < neededNames.length; i++) if (hasOwn(o, neededNames[i])) return true;
    return false;
  }

  // The function whose prototype the object is that is being looked at.
  var constructor;
  // Whether a property was seen in it that cannot be written.
  var mayRefuse = false;

  // There are few prototypes, and their names are looked for at every instance.
  const NAMED_PROTOTYPES = 1024;
  const namedPrototypes = new Int32Array(NAMED_PROTOTYPES);
  const namesOfPrototypes = new Int32Array(NAMED_PROTOTYPES);

  let arrayPrototypeNumber = 0;

  function numberOfArrayPrototype() {
    if (arrayPrototypeNumber === 0) arrayPrototypeNumber = mention(ArrayPrototype);
    return arrayPrototypeNumber;
  }

  function takeElements(array, length, prototype) {
    const n = length < MOST_ELEMENTS ? length : MOST_ELEMENTS;
    const simple = !arraysHaveAccessors;
    if (n > 4 && hasNoElement(array, prototype)) return;
    const readFirst = simple && canReadHoles(prototype);
    cut = n < length;
    if (readFirst) readElements(array, n);
    else {
      for (let i = 0; i < n; i++) {
        if (entries >= budget) {
          cut = true;
          break;
        }
        if (simple) {
          if (!hasOwn(array, i)) continue;
          fillIndex(i);
          fillInner(array[i]);
        } else {
          const d = getOwnPropertyDescriptor(array, i);
          if (d === undefined) continue;
          fillIndex(i);
          fillDescribed(d);
        }
        entries++;
      }
    }
    // The result of a match.
    if (hasOwn(array, 'index') && hasOwn(array, 'input')) {
      takeProperty(array, 'index');
      takeProperty(array, 'input');
    }
  }

  // Reading a hole goes on to the prototypes. Where these can have no accessors, only what reads as undefined need be asked for.
  function canReadHoles(prototype) {
    return holesAreSafe && prototype === ArrayPrototype && getPrototypeOf(ArrayPrototype) === ObjectPrototype;
  }

  // As `new Array(n)`, which is frequent. False may also mean that it is not known.
  function hasNoElement(array, prototype) {
    if (hasOwn(array, 0)) return false;
    const asksElements = !arraysHaveAccessors && array.length <= MOST_ELEMENTS && canReadHoles(prototype);
    return asksElements ? !some(array, isThere) : ownKeys(array).length === 1;
  }

  // Holes are not asked.
  const isThere = () => true;

  // What most arrays hold is written here, all else by fillInner.
  function readElements(array, n) {
    let end = filled;
    for (let i = 0; i < n; i++) {
      if (entries >= budget) {
        cut = true;
        break;
      }
      const x = array[i];
      if (x === undefined && !hasOwn(array, i)) continue;
      scratch[end] = 5;
      scratch[end + 1] = i;
      end += 2;
      entries++;
      if (typeof x === 'number') {
        const integer = x | 0;
        if (integer === x && (integer !== 0 || 1 / x > 0)) {
          scratch[end] = 5;
          scratch[end + 1] = integer;
          end += 2;
          continue;
        }
      } else if (typeof x === 'object' && x !== null) {
        const stamp = (idSymbol === undefined ? weakStamp(x) : x[idSymbol]) | 0;
        if (stamp > 0) {
          scratch[end] = 8;
          scratch[end + 1] = stamp;
          end += 2;
          continue;
        }
      }
      filled = end;
      fillInner(x);
      end = filled;
    }
    filled = end;
  }

  let looksLikeArguments = false;

  function takeProperties(o) {
    const keys = ownKeys(o);
    const n = keys.length;
    looksLikeArguments = false;
    if (n > 0 && weakGet(opaque, o) !== undefined) {
      cut = true;
      return 0;
    }
    let i = 0;
    for (; i < n && entries < MOST_PROPERTIES && entries < budget; i++) takeProperty(o, keys[i]);
    cut = i < n;
    return n;
  }

  // Of the properties only those that are needed: nobody will ask for others.
  function takeNeeded(o) {
    looksLikeArguments = hasOwn(o, iteratorSymbol) && getOwnPropertyDescriptor(o, iteratorSymbol).value === arrayValues;
    if (weakGet(opaque, o) !== undefined) {
      cut = true;
      return 0;
    }
    if (!needsElements) {
      for (let i = 0; i < neededNames.length; i++) if (hasOwn(o, neededNames[i])) takeProperty(o, neededNames[i]);
      return entries;
    }
    const keys = ownKeys(o);
    for (let i = 0; i < keys.length; i++) {
      if (!isNeeded(keys[i])) continue;
      if (entries >= MOST_PROPERTIES || entries >= budget) {
        cut = true;
        break;
      }
      takeProperty(o, keys[i]);
    }
    return entries;
  }

  function takeProperty(o, key) {
    const keyStart = filled;
    fill(key);
    // V8 formats the trace when an own `stack` is asked for, which may call the program's Error.prepareStackTrace.
    if (key === 'stack') scratch[filled++] = 11;
    else {
      const d = getOwnPropertyDescriptor(o, key);
      if (d === undefined) {
        filled = keyStart;
        return;
      }
      if (key === iteratorSymbol && hasOwn(d, 'value') && d.value === arrayValues) looksLikeArguments = true;
      if (key === 'constructor' && hasOwn(d, 'value') && isTaken(d.value) && prototypeProperty(d.value) === o) constructor = d.value;
      fillDescribed(d);
    }
    entries++;
  }

  function takeMap(map) {
    const iterator = mapEntries(map);
    while (entries < MOST_ELEMENTS && entries < budget) {
      const step = mapNext(iterator);
      if (step.done) break;
      fillInner(step.value[0]);
      fillInner(step.value[1]);
      entries++;
    }
  }

  function takeSet(set) {
    const iterator = setValues(set);
    while (entries < MOST_ELEMENTS && entries < budget) {
      const step = setNext(iterator);
      if (step.done) break;
      fillInner(step.value);
      scratch[filled++] = 4;
      entries++;
    }
  }

  // V8 has them in no order: those that were met before come first, in the order in which they were.
  function takeWeak(o) {
    const isMap = passes(weakMapBrand, o);
    const held = entriesOf !== undefined && (isMap || passes(weakSetBrand, o)) ? entriesOf(o) : undefined;
    if (held === undefined) {
      cut = true;
      return 0;
    }
    const width = isMap ? 2 : 1;
    const size = held.length / width;
    const places = new Places(size < MOST_SORTED ? size : MOST_SORTED);
    for (let i = 0; i < places.length; i++) {
      const key = held[i * width];
      const number = isObject(key) && stampOf(key) !== undefined ? numberOf(key) : 2 ** 31;
      places[i] = number * MOST_SORTED + i;
    }
    sortNumbers(places);
    for (let k = 0; k < places.length && entries < MOST_ELEMENTS && entries < budget; k++) {
      const i = (places[k] % MOST_SORTED) * width;
      fillInner(held[i]);
      if (isMap) fillInner(held[i + 1]);
      else scratch[filled++] = 4;
      entries++;
    }
    cut = entries < size;
    return size;
  }

  const Places = Float64Array;
  const MOST_SORTED = 2 ** 20;
  const weakMapBrand = (o) => weakMapHas(o, o);
  const weakSetBrand = (o) => weakSetHas(o, o);

  function takeBinary(o) {
    let elements = o;
    let size;
    try {
      size = typedLength(o);
    } catch {
      try {
        size = bufferLength(o);
        elements = new BytesOf(o);
      } catch {
        return 0;
      }
    }
    for (; entries < MOST_BYTES && entries < size; entries++) {
      fillIndex(entries);
      fill(elements[entries]);
    }
    return size;
  }

  // What a Date, a RegExp or a boxed primitive stands for has the key undefined.
  function takeInternal(o, kind) {
    scratch[filled++] = 1;
    if (kind === DATE) fill(dateTime(o));
    else if (kind === REGEXP) fill(regExpSource(o));
    else fill(unboxed(o));
    entries++;
  }

  function unboxed(o) {
    for (let i = 0; i < unbox.length; i++) {
      try {
        return unbox[i](o);
      } catch {
        // Another kind of box.
      }
    }
    return undefined;
  }

  function fillIndex(i) {
    scratch[filled] = 5;
    scratch[filled + 1] = i;
    filled += 2;
  }

  function fill(x) {
    encode(x);
    fillEncoded();
  }

  function fillDescribed(descriptor) {
    if (hasOwn(descriptor, 'value')) {
      if (!descriptor.writable) mayRefuse = true;
      fillInner(descriptor.value);
    } else {
      mayRefuse = true;
      scratch[filled++] = 14;
    }
  }

  // As fill, but an object is only mentioned, and queued where its contents are to follow.
  function fillInner(x) {
    if (!isObject(x)) {
      fill(x);
      return;
    }
    const stamp = stampOf(x);
    const id = stamp > 0 ? stamp : mention(x);
    scratch[filled] = 8;
    scratch[filled + 1] = id;
    filled += 2;
    if (stamp > 0) return;
    if (typeof x === 'object' && queued < MOST_ENTRIES && isMentioned(x) && isPlainOrArray(x)) queue[queued++] = x;
  }

  function fillEncoded() {
    scratch[filled++] = tag;
    if (tag >= 5 && tag !== 11) scratch[filled++] = low;
    if (tag === 6) scratch[filled++] = high;
  }

  function isPlainOrArray(o) {
    if (isArray(o)) return true;
    const prototype = getPrototypeOf(o);
    if (prototype === null) return !isNamespace(o);
    return prototype === ObjectPrototype || weakGet(plainPrototypes, prototype) !== undefined;
  }

  function nameOf(f) {
    const d = getOwnPropertyDescriptor(f, 'name');
    if (d === undefined || !hasOwn(d, 'value')) return 0;
    const name = d.value;
    return typeof name === 'string' && name !== '' ? stringNumber(name) : 0;
  }

  function constructorName(prototype) {
    if (isUnstampable(prototype)) return 0;
    const d = getOwnPropertyDescriptor(prototype, 'constructor');
    if (d === undefined || !hasOwn(d, 'value')) return 0;
    const constructor = d.value;
    if (typeof constructor !== 'function') return 0;
    mention(constructor);
    return isUnstampable(constructor) ? 0 : nameOf(constructor);
  }

  // Of a numbered object: whether it is a proxy or like one, so that asking it anything could run user code.
  const isUnstampable = (o) => stampOf(o) === undefined;

  // ---------------------------------------------------------------------------------------------------------------- classes

  const classes = new Map();
  const brands = new Map();
  {
    const known = (constructor, kind, brand) => {
      if (constructor === undefined) return;
      mapSet(classes, constructor.prototype, kind);
      mapSet(brands, constructor.prototype, brand);
    };
    const yes = () => true;
    known(Map, MAP, mapSize);
    known(Set, SET, setSize);
    known(Date, DATE, dateTime);
    known(RegExp, REGEXP, regExpBrand(getter(RegExp.prototype, 'global')));
    known(Error, ERROR, yes);
    known(Promise, PROMISE, yes);
    known({ prototype: TypedArrayPrototype }, BINARY, typedLength);
    known(ArrayBuffer, BINARY, bufferLength);
    if (typeof SharedArrayBuffer === 'function') known(SharedArrayBuffer, BINARY, yes);
    known(DataView, BINARY, yes);
    const boxes = [Number, String, Boolean, Symbol, BigInt];
    for (let i = 0; i < boxes.length; i++) known(boxes[i], BOXED, unbox[i]);
    known(WeakMap, WEAK, yes);
    known(WeakSet, WEAK, yes);
    known(WeakRef, WEAK, yes);
    known({ prototype: ObjectPrototype }, INSTANCE, yes);
  }

  // What literals of other realms inherit from.
  const plainPrototypes = new WeakMap();

  function knowRealm(literal) {
    weakSet(plainPrototypes, getPrototypeOf(literal), true);
  }

  // Built-ins of other realms inherit from nothing that is known here.
  const { otherKinds } = options;
  const KINDS_ELSEWHERE = [MAP, SET, DATE, REGEXP, ERROR, PROMISE, BINARY, BINARY, BOXED, WEAK, WEAK];
  const NATIVE_ERROR = 4;

  function otherKind(o) {
    if (otherKinds === undefined) return INSTANCE;
    for (let i = 0; i < KINDS_ELSEWHERE.length; i++) if (otherKinds[i](o)) return KINDS_ELSEWHERE[i];
    return INSTANCE;
  }

  // The getter answers undefined for %RegExp.prototype% itself and throws for everything that is no regular expression.
  function regExpBrand(isGlobal) {
    return (o) => {
      if (isGlobal(o) === undefined) throw undefined;
    };
  }

  function classOf(o, prototype, prototypeNumber) {
    if (typeof o === 'function') return FUNCTION;
    if (isArray(o)) return ARRAY;
    if (prototype === ObjectPrototype) return PLAIN;
    if (prototype === null) return isNamespace(o) ? NAMESPACE : PLAIN;
    const slot = prototypeNumber & (INSTANCE_PROTOTYPES - 1);
    if (instancePrototypes[slot] === prototypeNumber) return INSTANCE;
    if (weakGet(plainPrototypes, prototype) !== undefined) return PLAIN;
    for (let p = prototype; p !== null; p = getPrototypeOf(p)) {
      const kind = mapGet(classes, p);
      if (kind === INSTANCE) break;
      if (kind !== undefined) return passes(mapGet(brands, p), o) ? kind : INSTANCE;
      mention(p);
      if (isUnstampable(p)) break;
      if (weakGet(plainPrototypes, p) !== undefined) {
        const kindElsewhere = otherKind(o);
        if (kindElsewhere !== INSTANCE) return kindElsewhere;
        break;
      }
    }
    instancePrototypes[slot] = prototypeNumber;
    return INSTANCE;
  }

  // Numbers of prototypes that were seen to give objects of class INSTANCE only.
  const INSTANCE_PROTOTYPES = 1024;
  const instancePrototypes = new Int32Array(INSTANCE_PROTOTYPES);

  // An object may inherit from Map.prototype without being a Map.
  function passes(brand, o) {
    try {
      brand(o);
      return true;
    } catch {
      return false;
    }
  }

  // Told by what no other object is likely to have; asking for its tag does not touch its bindings.
  function isNamespace(o) {
    const d = getOwnPropertyDescriptor(o, toStringTag);
    return d !== undefined && hasOwn(d, 'value') && d.value === 'Module' && !d.writable && !d.configurable;
  }

  // ---------------------------------------------------------------------------------------------------------------- helpers

  function E(S, p) {
    if (cursor > limit) nextChunk();
    const at = cursor;
    words[at + 1] = p;
    words[at] = S;
    cursor = at + 2;
    return ++frames;
  }

  function scope(S) {
    if (cursor > limit) nextChunk();
    words[cursor++] = S;
    return ++frames;
  }

  // V8 puts small functions into the program's own, as far as a budget goes that it counts in bytecodes, and what it puts there
  // it compiles anew at each place. So the helpers are small where they are quick, and all else is in functions that are, on
  // purpose, too large to be put anywhere (460 bytecodes).
  function v(S, x) {
    if (typeof x === 'number') writeNumber(S, x);
    else if (typeof x === 'boolean') b(S | 4, x);
    else any(S, x);
    return x;
  }

  function any(S, x) {
    if (cursor > limit) nextChunk();
    const at = cursor;
    if (typeof x === 'number') {
      const integer = x | 0;
      if (integer === x && (integer !== 0 || 1 / x > 0)) {
        words[at + 1] = integer;
        words[at] = S | 5;
        cursor = at + 2;
      } else {
        doubles.put((at + 1) << 2, x, true);
        words[at] = S | 6;
        cursor = at + 3;
      }
    } else if (typeof x === 'boolean') {
      words[at] = x ? S | 4 : S | 3;
      cursor = at + 1;
    } else if (x === undefined) {
      words[at] = S | 1;
      cursor = at + 1;
    } else if (x === null) {
      words[at] = S | 2;
      cursor = at + 1;
    } else if (typeof x === 'object') {
      const stamp = (idSymbol === undefined ? weakStamp(x) : x[idSymbol]) | 0;
      if (stamp > 0) {
        words[at + 1] = stamp;
        words[at] = S | 8;
        cursor = at + 2;
      } else other(S, x);
    } else if (typeof x === 'string') {
      const length = x.length;
      if (length > SHORT) {
        other(S, x);
        return;
      }
      let hash = length;
      if (length > 0) {
        const middle = length >> 1;
        hash += charCodeAt(x, 0) * 7 + charCodeAt(x, middle) * 97 + charCodeAt(x, length - 1) * 677 + charCodeAt(x, middle >> 1) * 31;
      }
      const slot = hash & (CACHE - 1);
      if (cachedText[slot] === x) {
        words[at + 1] = cachedNumber[slot];
        words[at] = S | 7;
        cursor = at + 2;
      } else other(S, x);
    } else if (typeof x === 'function') {
      const stamp = (idSymbol === undefined ? weakStamp(x) : x[idSymbol]) | 0;
      if (stamp > 0) {
        words[at + 1] = stamp;
        words[at] = S | 8;
        cursor = at + 2;
      } else other(S, x);
    } else other(S, x);
  }

  function writeNumber(S, x) {
    const integer = x | 0;
    if (integer === x && (integer !== 0 || 1 / x > 0)) pair(S | 5, integer);
    else double(S, x);
  }

  function pair(header, payload) {
    const at = cursor;
    words[at + 1] = payload;
    words[at] = header;
    cursor = at + 2;
  }

  function double(S, x) {
    if (cursor > limit) nextChunk();
    const at = cursor;
    doubles.put((at + 1) << 2, x, true);
    words[at] = S | 6;
    cursor = at + 3;
  }

  function other(S, x) {
    if (cursor > limit) nextChunk();
    if (x === undefined) words[cursor++] = S | 1;
    else if (typeof x === 'boolean') words[cursor++] = S | (x ? 4 : 3);
    else if (typeof x === 'string' && x.length <= SHORT) pair(S | 7, shortNumber(x, x.length));
    else if (typeof x === 'function') pair(S | 8, use(x));
    else if (typeof x === 'object' && x !== null) pair(S | 8, stampOf(x) === undefined ? useFresh(S, x) : use(x));
    else {
      encode(x);
      writeEncoded(S);
    }
  }

  function writeEncoded(S) {
    const at = cursor;
    let end = at + 1;
    if (tag >= 5 && tag !== 11) words[end++] = low;
    if (tag === 6) words[end++] = high;
    words[at] = S | tag;
    cursor = end;
  }

  function writeEncodedWith(S, last) {
    const at = cursor;
    let end = at + 1;
    if (tag >= 5 && tag !== 11) words[end++] = low;
    if (tag === 6) words[end++] = high;
    words[end++] = last;
    words[at] = S | tag;
    cursor = end;
  }

  function t(S, x, number) {
    if (number > 0) pair(S | 8, number);
    else receiver(S, x);
    return x;
  }

  // A receiver met for the first time is one under construction if there is nothing in it yet.
  function receiver(S, x) {
    const id = objects + 1;
    if (typeof x !== 'object' || x === null || x === theGlobal || !stampAtSite(S, x, id)) {
      other(S, x);
      return;
    }
    objects = id;
    const prototype = getPrototypeOf(x);
    const prototypeNumber = prototype === null ? 0 : mentionPrototype(prototype);
    if (classOf(x, prototype, prototypeNumber) === INSTANCE && enumerableKeys(x).length === 0) {
      const at = cursor;
      words[at + 1] = id;
      words[at + 2] = prototypeNumber;
      words[at] = S | 13;
      cursor = at + 3;
      return;
    }
    takeLook(x, id);
    other(S, x);
  }

  // The number of the prototype of an object that no look tells of: what it inherits is told before it.
  function mentionPrototype(prototype) {
    const stamp = stampOf(prototype);
    if (stamp > 0) return stamp;
    return mapGet(classes, prototype) === undefined ? use(prototype) : mention(prototype);
  }

  // What a function of the program, or a class, has as its prototype.
  function prototypeProperty(f) {
    const d = getOwnPropertyDescriptor(f, 'prototype');
    return d !== undefined && hasOwn(d, 'value') && isObject(d.value) ? d.value : undefined;
  }

  // The birth of a class: what its instances inherit is told behind it, then what it has itself but for static fields.
  function K(S, c) {
    n(S, c);
    if (typeof c !== 'function' || !isTaken(c)) return c;
    const prototype = prototypeProperty(c);
    if (prototype !== undefined && !isTaken(prototype)) {
      use(prototype);
      const keys = isUnstampable(prototype) ? [] : ownKeys(prototype);
      for (let i = 0; i < keys.length; i++) {
        const d = getOwnPropertyDescriptor(prototype, keys[i]);
        if (hasOwn(d, 'value') && typeof d.value === 'function') use(d.value);
      }
    }
    const keys = ownKeys(c);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      if (key !== 'length' && key !== 'name' && key !== 'prototype' && !getOwnPropertyDescriptor(c, key).enumerable) effectOwn(DEFINE, c, key);
    }
    return c;
  }

  function n(S, f) {
    const id = objects + 1;
    if (stampAtSite(S, f, id)) {
      objects = id;
      const at = cursor;
      words[at + 1] = id;
      words[at] = S | 8;
      cursor = at + 2;
    } else other(S, f);
    return f;
  }

  function i(S, x) {
    if (cursor > limit) nextChunk();
    return v(S, x);
  }

  // Of a truth. S has the tag of true; that of false is one less. V8 puts functions of up to 27 bytecodes in place everywhere: this
  // has 25.
  function b(S, x) {
    words[cursor++] = S - !x;
    return x;
  }

  function l(S, x) {
    if (cursor > limit) nextChunk();
    words[cursor++] = S - !x;
    return x;
  }

  function h(S, x) {
    words[cursor++] = S | (x === null || x === undefined ? 3 : 4);
    return x;
  }

  function m(S) {
    words[cursor++] = S;
  }

  // A parameter.
  function p(S, x, number) {
    if (number > 0) pair(S | 8, number);
    else if (typeof x === 'number') writeNumber(S, x);
    else any(S, x);
    return x;
  }

  // Arithmetic. Small, so that the engine inlines it at many places and keeps the number out of the heap.
  function d(S, x) {
    if (typeof x !== 'number' || cursor > limit) return i(S, x);
    const at = cursor;
    doubles.put((at + 1) << 2, x, true);
    words[at] = S | 6;
    cursor = at + 3;
    return x;
  }

  // Counting and bits: mostly small integers.
  function u(S, x) {
    if (typeof x !== 'number' || (x | 0) !== x || x === 0) return v(S, x);
    const at = cursor;
    words[at + 1] = x;
    words[at] = S | 5;
    cursor = at + 2;
    return x;
  }

  // A literal: the site knows it.
  function c(S, x) {
    words[cursor++] = S;
    return x;
  }

  function B(S, o, number, x) {
    if (typeof x !== 'number' || number <= 0 || cursor > limit) return P(S, o, number, x);
    const at = cursor;
    doubles.put((at + 1) << 2, x, true);
    words[at + 3] = number;
    words[at] = S | 6;
    cursor = at + 4;
    return x;
  }

  function C(S, o, number, x) {
    if (cursor > limit) nextChunk();
    const base = number > 0 ? number : writtenNumber(S, o, NAMED);
    const at = cursor;
    words[at + 1] = base;
    words[at] = S;
    cursor = at + 2;
    return x;
  }

  // Checks the room: a loop may have nothing but a call for its condition.
  function R(S, mark, x) {
    if (cursor > limit) nextChunk();
    if (typeof x === 'number') writeNumber(S, x);
    else if (typeof x === 'boolean') b(S | 4, x);
    else any(S, x);
    return x;
  }

  // Property writes check the room too: generated code may hold tens of thousands of them in a row.
  function P(S, o, number, x) {
    if (number > 0 && typeof x === 'number' && (x | 0) === x && x !== 0) triple(S | 5, x, number);
    else anyWritten(S, o, number, x);
    return x;
  }

  // As P and Q, for a value that is still to be written.
  function F(S, o, number, x) {
    if (cursor > limit) nextChunk();
    if (number > 0) anyWith(S, x, number);
    else if (!refuses(o, NAMED, S)) anyWith(S, x, baseNumber(o));
    return x;
  }

  function H(S, o, number, x, key) {
    if (number > 0) atKey(S, number, x, key);
    else if (!refuses(o, key, S)) atKey(S, baseNumber(o), x, key);
    return x;
  }

  // As H, with a base and a key that Y found; undefined is what it did not find.
  function X(S, o, key, x) {
    if (key === undefined) key = NAMED;
    if (!isNeeded(key)) return x;
    if (refuses(o, key, S)) return x;
    if (isSparse) meet(S, o);
    atKey(S, baseNumber(o), x, key);
    return x;
  }

  // Whether an object will not take what is about to be written to it. What its prototypes forbid is not asked.
  function refuses(o, key, S) {
    if (!isObject(o) || !(isRestricted(o) || (isSparse && stampOf(o) !== undefined))) return false;
    if (key === NAMED) key = siteNames(S >>> 4)[0];
    if (key === undefined || isObject(key)) return false;
    try {
      const d = getOwnPropertyDescriptor(o, key);
      return d === undefined ? !isExtensible(o) : hasOwn(d, 'writable') && !d.writable;
    } catch {
      // A name of a module that is not initialised.
      return true;
    }
  }

  // What a member holds, as own data: it is read a second time, and that must run nothing. A proxy is not asked, nor a getter.
  function Y(o, key) {
    if (!isObject(o) || isObject(key)) return undefined;
    if (stampOf(o) === undefined) use(o);
    const d = stampOf(o) === undefined ? undefined : getOwnPropertyDescriptor(o, key);
    return d !== undefined && hasOwn(d, 'value') ? d.value : undefined;
  }

  // The key is that of the site.
  const NAMED = {};

  // The key of a site that records an assignment, NAMED if it has none of its own, undefined for other sites.
  const assignments = new Map();

  function assignmentKey(site) {
    let key = mapGet(assignments, site);
    if (key === undefined && isAssignment(site)) {
      const names = siteNames(site);
      mapSet(assignments, site, (key = names.length === 0 ? NAMED : names[0]));
    }
    return key;
  }

  // The number of an object that has just been written to, or 0 if it did not take the value.
  function writtenNumber(S, o, key) {
    if (!isObject(o)) return 0;
    if (!isRestricted(o) && !(isSparse && isRefusing(S, o, key))) return baseNumber(o);
    const known = assignmentKey(S >>> 4);
    if (known === undefined) return baseNumber(o);
    if (key === NAMED) key = known;
    if (isObject(key) || key === 'stack') return baseNumber(o);
    try {
      const d = getOwnPropertyDescriptor(o, key);
      return d !== undefined && hasOwn(d, 'writable') && d.writable ? baseNumber(o) : 0;
    } catch {
      // A name of a module that is not initialised.
      return 0;
    }
  }

  function baseNumber(o) {
    if (typeof o === 'object' && o !== null) {
      const stamp = (idSymbol === undefined ? weakStamp(o) : o[idSymbol]) | 0;
      if (stamp > 0) return stamp;
    }
    return isObject(o) ? use(o) : 0;
  }

  // As any, with one more word at the end.
  function anyWith(S, x, last) {
    const at = cursor;
    if (typeof x === 'number') {
      const integer = x | 0;
      if (integer === x && (integer !== 0 || 1 / x > 0)) {
        words[at + 1] = integer;
        words[at + 2] = last;
        words[at] = S | 5;
        cursor = at + 3;
      } else {
        doubles.put((at + 1) << 2, x, true);
        words[at + 3] = last;
        words[at] = S | 6;
        cursor = at + 4;
      }
    } else if (typeof x === 'object' && x !== null) {
      const stamp = (idSymbol === undefined ? weakStamp(x) : x[idSymbol]) | 0;
      if (stamp > 0) {
        words[at + 1] = stamp;
        words[at + 2] = last;
        words[at] = S | 8;
        cursor = at + 3;
      } else {
        if (isSparse && stamp === 0) meetFresh(S, x);
        valueWith(S, x, last);
      }
    } else if (typeof x === 'boolean') {
      words[at + 1] = last;
      words[at] = x ? S | 4 : S | 3;
      cursor = at + 2;
    } else if (x === undefined) {
      words[at + 1] = last;
      words[at] = S | 1;
      cursor = at + 2;
    } else if (x === null) {
      words[at + 1] = last;
      words[at] = S | 2;
      cursor = at + 2;
    } else if (typeof x === 'string' && x.length <= SHORT) {
      const text = shortNumber(x, x.length);
      const end = cursor;
      words[end + 1] = text;
      words[end + 2] = last;
      words[end] = S | 7;
      cursor = end + 3;
    } else valueWith(S, x, last);
  }

  function valueWith(S, x, last) {
    encode(x);
    ensure(4);
    writeEncodedWith(S, last);
  }

  // What a pattern wrote into a property. A proxy is not asked, and neither is a getter.
  function W(S, o, key) {
    if (!isObject(o)) return;
    const base = use(o);
    const isAsked = !isObject(key) && stampOf(o) !== undefined;
    const d = isAsked ? getOwnPropertyDescriptor(o, key) : undefined;
    if (d !== undefined && hasOwn(d, 'value')) {
      Q(S, o, base, d.value, key);
      return;
    }
    if (isObject(key)) tag = 11;
    else encode(key);
    ensure(6);
    const at = cursor;
    let end = at + 1;
    // Asked, and no data of its own: a setter took the write, or it was refused.
    words[end++] = isAsked ? 0 : base;
    words[end++] = tag;
    if (tag >= 5 && tag !== 11) words[end++] = low;
    if (tag === 6) words[end++] = high;
    words[at] = S | 11;
    cursor = end;
  }

  // As P; not by a call of it, which V8 would have to put in place as well.
  function D(S, x, o, number) {
    if (number > 0 && typeof x === 'number' && (x | 0) === x && x !== 0) triple(S | 5, x, number);
    else anyWritten(S, o, number, x);
    return x;
  }

  function G(S, x, o, number, key) {
    return Q(S, o, number, x, key);
  }

  // The number of the value is given where it may be an object, and is 0 if it is none or has none.
  function Q(S, o, number, x, key, valueNumber) {
    const base = number > 0 ? number : writtenNumber(S, o, key);
    if (typeof key === 'number' && (key | 0) === key && (key !== 0 || 1 / key > 0)) {
      if (valueNumber > 0) indexed(S | 8, valueNumber, base, key);
      else atIndex(S, base, x, key);
    } else atKey(S, base, x, key);
    return x;
  }

  function indexed(header, payload, base, index) {
    const at = cursor;
    words[at + 1] = payload;
    words[at + 2] = base;
    words[at + 3] = 5;
    words[at + 4] = index;
    words[at] = header;
    cursor = at + 5;
  }

  function atIndex(S, base, x, index) {
    if (typeof x === 'number') {
      const integer = x | 0;
      if (integer === x && (integer !== 0 || 1 / x > 0)) {
        ensure(5);
        indexed(S | 5, integer, base, index);
        return;
      }
    } else if (typeof x === 'object' && x !== null) {
      const stamp = (idSymbol === undefined ? weakStamp(x) : x[idSymbol]) | 0;
      if (stamp > 0) {
        indexed(S | 8, stamp, base, index);
        return;
      }
    }
    encode(x);
    ensure(6);
    const at = cursor;
    let end = at + 1;
    if (tag >= 5 && tag !== 11) words[end++] = low;
    if (tag === 6) words[end++] = high;
    words[end] = base;
    words[end + 1] = 5;
    words[end + 2] = index;
    words[at] = S | tag;
    cursor = end + 3;
  }

  function atKey(S, base, x, key) {
    if (isObject(key)) tag = 11;
    else encode(key);
    const keyTag = tag;
    const keyLow = low;
    const keyHigh = high;
    encode(x);
    ensure(8);
    const at = cursor;
    let end = at + 1;
    if (tag >= 5 && tag !== 11) words[end++] = low;
    if (tag === 6) words[end++] = high;
    words[end++] = base;
    words[end++] = keyTag;
    if (keyTag >= 5 && keyTag !== 11) words[end++] = keyLow;
    if (keyTag === 6) words[end++] = keyHigh;
    words[at] = S | tag;
    cursor = end;
  }

  // What is known of a literal's site, found by the low bits of its number.
  const SITES = 4096;
  const literalSites = new Array(SITES).fill(undefined);

  function literalSite(S, isArrayLiteral) {
    const site = S >>> 4;
    const names = isArrayLiteral ? undefined : siteNames(site);
    const known = { S, names, count: isArrayLiteral ? arity(site) : names.length, births: 0, stamp: undefined, read: undefined, write: undefined };
    literalSites[site & (SITES - 1)] = known;
    return known;
  }

  function o(S, literal) {
    let site = literalSites[(S >>> 4) & (SITES - 1)];
    if (site === undefined || site.S !== S) site = literalSite(S, false);
    const { count, read, write } = site;
    if (write !== undefined) {
      if (cursor > limit) nextChunk();
      const end = write(S | 8, literal, objects + 1, cursor);
      if (end !== 0) {
        objects++;
        cursor = end;
        return literal;
      }
    }
    const id = birthAt(site, literal);
    if (count > MOST_BORN) return bornLarge(S, literal, count);
    writeBirth(S, id, read === undefined ? readLiteral(site, literal) : read(literal));
    return literal;
  }

  function readLiteral(site, literal) {
    const { names, count } = site;
    let end = 0;
    for (let k = 0; k < count; k++) end = isNeeded(names[k]) ? bornWith(end, literal[names[k]]) : bornUnneeded(end);
    return end;
  }

  // Nobody will ask for it.
  function bornUnneeded(end) {
    born[end] = 11;
    return end + 1;
  }

  const MOST_READ = 64;
  const quote = JSON.stringify;

  function newReader(names) {
    if (idSymbol === undefined || names.length > MOST_READ) return undefined;
    let text = '0';
    for (let k = 0; k < names.length; k++) {
      text = isNeeded(names[k]) ? `bornWith(${text},o[${quote(names[k])}])` : `bornUnneeded(${text})`;
    }
    try {
      return TheFunction('bornWith', 'bornUnneeded', `return function(o){return ${text}}${NAMED_OURS}`)(bornWith, bornUnneeded);
    } catch {
      return undefined;
    }
  }

  // Where few keys are needed, such a site gets a function that writes the whole event, if what they hold is the usual.
  const MOST_WRITTEN = 4;

  function newWriter(names) {
    if (!isSparse || idSymbol === undefined || names.length > MOST_READ) return undefined;
    let asked = '';
    let written = '';
    let n = 0;
    for (let k = 0; k < names.length; k++) {
      if (!isNeeded(names[k])) {
        written += 'w[e++]=11;';
        continue;
      }
      asked += `const x${n}=o[${quote(names[k])}];let t${n}=5,v${n}=x${n};if(typeof x${n}!=='number'||(x${n}|0)!==x${n}||x${n}===0){if(typeof x${n}!=='object'||x${n}===null)return 0;v${n}=x${n}[id]|0;if(v${n}<=0)return 0;t${n}=8}`;
      written += `w[e]=t${n};w[e+1]=v${n};e+=2;`;
      n++;
    }
    if (n > MOST_WRITTEN) return undefined;
    try {
      const text = `${DEFINES_STAMP}return function(header,o,n,at){${asked}number=n;new Stamped(o);let e=at+2;w[at+1]=n;${written}w[at]=header;return e}${NAMED_OURS}`;
      return TheFunction('id', 'w', text)(idSymbol, words);
    } catch {
      return undefined;
    }
  }

  function y(S, array) {
    let site = literalSites[(S >>> 4) & (SITES - 1)];
    if (site === undefined || site.S !== S) site = literalSite(S, true);
    const id = birthAt(site, array);
    const { count } = site;
    if (count > MOST_BORN) return bornLarge(S, array, count);
    let end = 0;
    for (let k = 0; k < count; k++) end = bornWith(end, array[k]);
    writeBirth(S, id, end);
    return array;
  }

  // Gives a literal of this site its number. A site that gives birth often gets functions of its own, for the sake of their inline
  // caches.
  function birthAt(site, literal) {
    const { S, stamp } = site;
    const id = ++objects;
    if (stamp !== undefined) stamp(literal, id);
    else {
      stampAtSite(S, literal, id);
      if (++site.births === HOT) heat(site);
    }
    return id;
  }

  const HOT = 100;

  function heat(site) {
    site.stamp = newDefiningStamper();
    if (site.names === undefined) return;
    site.read = newReader(site.names);
    site.write = newWriter(site.names);
  }

  function newDefiningStamper() {
    if (idSymbol === undefined) return undefined;
    try {
      return TheFunction('id', `${DEFINES_STAMP}return function(o,n){number=n;new Stamped(o)}${NAMED_OURS}`)(idSymbol);
    } catch {
      return undefined;
    }
  }

  function birth(S, literal) {
    const id = ++objects;
    stampAtSite(S, literal, id);
    return id;
  }

  // Values for the tail of an event, collected here because encoding one may write records of its own.
  const MOST_BORN = 4096;
  var born = new Int32Array(3 * MOST_BORN);

  function bornWith(end, x) {
    if (typeof x === 'number') {
      const integer = x | 0;
      if (integer === x && (integer !== 0 || 1 / x > 0)) {
        born[end] = 5;
        born[end + 1] = integer;
        return end + 2;
      }
    } else if (typeof x === 'object' && x !== null) {
      const stamp = (idSymbol === undefined ? weakStamp(x) : x[idSymbol]) | 0;
      if (stamp > 0) {
        born[end] = 8;
        born[end + 1] = stamp;
        return end + 2;
      }
    }
    encode(x);
    born[end++] = tag;
    if (tag >= 5 && tag !== 11) born[end++] = low;
    if (tag === 6) born[end++] = high;
    return end;
  }

  // The site promises a value for each key; these are not captured, and a look takes the first of them.
  function bornLarge(S, literal, count) {
    ensure(count + 2);
    const id = stampOf(literal);
    const at = cursor;
    words[at + 1] = id;
    for (let k = 0; k < count; k++) words[at + 2 + k] = 11;
    words[at] = S | 8;
    cursor = at + 2 + count;
    takeLook(literal, id);
    return literal;
  }

  function writeBirth(S, id, n) {
    ensure(n + 2);
    const at = cursor;
    words[at + 1] = id;
    for (let k = 0; k < n; k++) words[at + 2 + k] = born[k];
    words[at] = S | 8;
    cursor = at + 2 + n;
  }

  function z(S, literal) {
    const id = birth(S, literal);
    writeBirth(S, id, 0);
    takeLook(literal, id);
    return literal;
  }

  function A(S, args) {
    writeBirth(S, birth(S, args), 0);
    budget = MOST_ENTRIES;
    queued = 0;
    lookAt(args, numberOf(args), ARGUMENTS);
    return args;
  }

  function k(S, frame, x) {
    valueWith(S, x, frame);
    return x;
  }

  function j(S, frame) {
    ensure(2);
    words[cursor + 1] = frame;
    words[cursor] = S;
    cursor += 2;
  }

  const noArguments = {
    __proto__: null,
    [Symbol.iterator]: () => ({ __proto__: null, next: () => ({ __proto__: null, done: true, value: undefined }) }),
  };

  // As j, spread among the arguments of a call that has none.
  function e(S, frame) {
    j(S, frame);
    return noArguments;
  }

  function a(x) {
    return x;
  }

  function r(mark, x) {
    return x;
  }

  // A field whose key nobody knows is about to get this value: the object is looked at again when it is used next.
  function w(o, x) {
    const stamp = stampOf(o);
    if (stamp > 0) setStamp(o, -stamp);
    return x;
  }

  // ------------------------------------------------------------------------------------- where not everything is recorded

  // The number of an object that is about to be written to. It may never have been met: then it is looked at before that. What it
  // has for a number is 0 if it has none. Where it may refuse the write, this is no number: who records the write asks again.
  function L(S, o, number) {
    return number > 0 ? number : meetWritten(S, o, number);
  }

  function meetWritten(S, o, number) {
    return number === 0 ? meetFresh(S, o) : meet(S, o);
  }

  // What was never met is under construction more often than not: an instance with nothing in it that is needed.
  function meetFresh(S, o) {
    if (typeof o !== 'object' || o === null || isOpaque(o)) return meet(S, o);
    const id = objects + 1;
    const prototypeNumber = stampFreshAtSite(S, o, id);
    if (prototypeNumber === NOT_STAMPED) return meet(S, o);
    objects = id;
    if (!isKnownPrototype(prototypeNumber) || isArray(o) || needsElements || hasNeeded(o)) {
      takeLook(o, id);
      return 0;
    }
    emptyInstanceLook(id, prototypeNumber);
    return isExtensible(o) ? id : 0;
  }

  // A constructor begins: there is nothing in the object yet. What it inherits the constructor tells, where it is the one that was
  // seen here before.
  function J(S, o, constructor) {
    const slot = (S >>> 4) & (STAMPERS - 1);
    const id = objects + 1;
    const prototypeNumber = (newbornStampers[slot] ?? noNewborn)(o, id, constructor);
    if (prototypeNumber === 0) {
      beginUnknown(S, o, constructor);
      return;
    }
    objects = id;
    if (isKnownPrototype(prototypeNumber)) emptyInstanceLook(id, prototypeNumber);
    else takeLook(o, id);
  }

  const newbornStampers = new Array(STAMPERS).fill(undefined);

  function noNewborn() {
    return 0;
  }

  function beginUnknown(S, o, constructor) {
    meetFresh(S, o);
    if (idSymbol === undefined || isProxy(constructor)) return;
    const d = getOwnPropertyDescriptor(constructor, 'prototype');
    if (d === undefined || d.configurable || !isObject(d.value)) return;
    const prototypeNumber = stampOf(d.value) | 0;
    if (!isKnownPrototype(prototypeNumber)) return;
    mention(constructor);
    const text = 'return function(o,n,c){if(c[id]!==f)return 0;const q=c.prototype;if(typeof q!=="object"||q===null||q[id]!==p)return 0;o[id]=n;return p}';
    try {
      newbornStampers[(S >>> 4) & (STAMPERS - 1)] = TheFunction('id', 'f', 'p', `${text}${NAMED_OURS}`)(idSymbol, stampOf(constructor), prototypeNumber);
    } catch {
      // Code generation is off.
    }
  }

  // Of an object that was met by the write that has just been made: whether it did not take it.
  function isRefusing(S, o, key) {
    if (stampOf(o) === undefined) return false;
    if (key === NAMED) key = assignmentKey(S >>> 4);
    if (key === undefined || isObject(key) || hasOwn(o, key) || isExtensible(o)) return false;
    restrict(o);
    return true;
  }

  // As P, for a value that is known by its number if it has one, and 0 if not.
  function U(S, o, number, x, valueNumber) {
    if (valueNumber > 0 && number > 0) triple(S | 8, valueNumber, number);
    else if (x === undefined && number > 0) pairWith(S | 1, number);
    else anyWritten(S, o, number, x);
    return x;
  }

  function triple(header, payload, last) {
    if (cursor > limit) nextChunk();
    const at = cursor;
    words[at + 1] = payload;
    words[at + 2] = last;
    words[at] = header;
    cursor = at + 3;
  }

  function pairWith(header, last) {
    if (cursor > limit) nextChunk();
    const at = cursor;
    words[at + 1] = last;
    words[at] = header;
    cursor = at + 2;
  }

  function anyWritten(S, o, number, x) {
    if (cursor > limit) nextChunk();
    anyWith(S, x, number > 0 ? number : writtenNumber(S, o, NAMED));
    if (number <= 0 && mayBeFilled(S, o)) w(o);
  }

  // Whether a field of an array was defined: a built-in (`of`, `map`, …) may be making it, and put the elements in afterwards.
  function mayBeFilled(S, o) {
    return isObject(o) && stampOf(o) > 0 && (isArray(o) || isView(o)) && isAssignment !== undefined && !isAssignment(S >>> 4);
  }

  // The stamp of an object that is looked at now if it never was; 0 if it is none.
  function meet(S, o) {
    if (!isObject(o)) return 0;
    const stamp = stampOf(o);
    if (stamp < RESTRICTED) return stamp;
    if (stamp === undefined) useFresh(S, o);
    else use(o);
    return stampOf(o);
  }

  // The object is about to be written to under this key. Most are elements, and mostly these are not recorded.
  function N(o, key) {
    if (typeof key !== 'number' || needsElements) aboutToWrite(o, key);
    return key;
  }

  function aboutToWrite(o, key) {
    if (isNeeded(key)) meet(0, o);
  }

  // As Q, G and W, if the key turns out to be needed.
  function M(S, o, x, key) {
    if (typeof key !== 'number' || needsElements) written(S, o, x, key);
    return x;
  }

  function O(S, x, o, key) {
    if (typeof key !== 'number' || needsElements) written(S, o, x, key);
    return x;
  }

  function V(S, o, key) {
    if (isNeeded(key)) checked.W(S, o, key);
  }

  function written(S, o, x, key) {
    if (isNeeded(key)) checked.Q(S, o, 0, x, key);
  }

  function room() {
    if (cursor > limit) nextChunk();
  }

  function checkedB(S, o, number, x) {
    if (number > 0 && typeof x === 'number') doubleWith(S | 6, x, number);
    else anyWritten(S, o, number, x);
    return x;
  }

  function doubleWith(header, x, last) {
    if (cursor > limit) nextChunk();
    const at = cursor;
    doubles.put((at + 1) << 2, x, true);
    words[at + 3] = last;
    words[at] = header;
    cursor = at + 4;
  }

  // The helpers that leave it to others to look for room, where these others may emit nothing.
  const checked = {
    B: checkedB,
    v(S, x) {
      room();
      return v(S, x);
    },
    t(S, x, number) {
      room();
      return t(S, x, number);
    },
    n(S, f) {
      room();
      return n(S, f);
    },
    K(S, c) {
      room();
      return K(S, c);
    },
    b(S, x) {
      room();
      return b(S, x);
    },
    h(S, x) {
      room();
      return h(S, x);
    },
    m(S) {
      room();
      m(S);
    },
    p(S, x, number) {
      room();
      return p(S, x, number);
    },
    d(S, x) {
      room();
      return d(S, x);
    },
    u(S, x) {
      room();
      return u(S, x);
    },
    c(S, x) {
      room();
      return c(S, x);
    },
    Q(S, o, number, x, key, valueNumber) {
      room();
      return Q(S, o, number, x, key, valueNumber);
    },
    G(S, x, o, number, key) {
      room();
      return Q(S, o, number, x, key);
    },
    W(S, o, key) {
      room();
      W(S, o, key);
    },
  };

  // ---------------------------------------------------------------------------------------------- records for the loader

  function record(arg, number, first, n, second) {
    ensure(4);
    if (n > 1) words[cursor + 2] = second;
    if (n > 0) words[cursor + 1] = first;
    words[cursor] = (arg << 12) | (number << 4) | 15;
    cursor += n + 1;
  }

  function output(fd, byteLength, text) {
    const taken = typeof text === 'string' ? stringNumber(text) : 0;
    record(fd, 5, byteLength, 2, taken);
  }

  function uncaught(value, isRejection) {
    const end = bornWith(0, value);
    ensure(4);
    for (let k = 0; k < end; k++) words[cursor + 1 + k] = born[k];
    words[cursor] = ((isRejection ? 1 : 0) << 12) | 0x6f;
    cursor += 1 + end;
  }

  // What went to another thread or process (0), or came from one (1), and the name of a channel (2).
  // An object is only mentioned: what it holds is taken where the program uses it.
  function message(step, channel, from, length, value) {
    let end = 2;
    if (isObject(value)) {
      born[1] = mention(value);
      born[0] = 8;
    } else end = bornWith(0, value);
    ensure(end + 5);
    const at = cursor;
    words[at + 1] = channel;
    words[at + 2] = from % 4294967296 | 0;
    words[at + 3] = from / 4294967296 | 0;
    words[at + 4] = length;
    for (let k = 0; k < end; k++) words[at + 5 + k] = born[k];
    words[at] = (step << 12) | 0xbf;
    cursor = at + 5 + end;
  }

  // Asks for the stack perhaps, which leads to `seen`.
  let isPuttingRight = false;

  function putMessageRight(error) {
    if (mendMessage === undefined) return;
    isPuttingRight = true;
    mendMessage(error);
    isPuttingRight = false;
  }

  // What code that is not recorded threw and caught (a test runner of Node) is met nowhere but where its stack is written out.
  function seen(error) {
    if (isPuttingRight) return;
    if (!isSparse && otherKinds !== undefined && otherKinds[NATIVE_ERROR](error)) bornWith(0, error);
  }

  function threadEnd(code) {
    record(code & 0xfffff, 7, 0, 0, 0);
  }

  // Whether what a built-in does to this object is to be recorded: its contents were taken.
  function isTaken(o) {
    if (typeof o === 'object' && o !== null) {
      const stamp = idSymbol === undefined ? weakStamp(o) : o[idSymbol];
      return stamp > 0 || stamp < RESTRICTED;
    }
    return typeof o === 'function' && (stampOf(o) > 0 || isRestricted(o));
  }

  // Whether an object was met only inside another one.
  function isMentioned(o) {
    const stamp = stampOf(o);
    return stamp < 0 && stamp >= RESTRICTED;
  }

  const DEFINE = 11;

  // The effect… functions are for objects that are taken.
  function effect0(op, object) {
    writeEffect(op, object, 0, 0);
  }

  function effect1(op, object, x) {
    writeEffect(op, object, 1, bornWith(0, x));
  }

  function effect2(op, object, x, z) {
    writeEffect(op, object, 2, bornWith(bornWith(0, x), z));
  }

  function effectList(op, object, values) {
    const count = values.length;
    if (count > MOST_BORN) {
      refill(object);
      return;
    }
    let end = 0;
    for (let k = 0; k < count; k++) end = bornWith(end, values[k]);
    writeEffect(op, object, count, end);
  }

  // The own property that now is there under this key; nothing if a setter took the value.
  function effectOwn(op, object, key) {
    if (!isNeeded(key)) return;
    const d = key === 'stack' ? undefined : getOwnPropertyDescriptor(object, key);
    if (d === undefined) return;
    let end = bornWith(0, key);
    if (hasOwn(d, 'value')) end = bornWith(end, d.value);
    else born[end++] = 14;
    let n = 2;
    // The prototype of a class can never be written: no reason to ask at each write of a static field.
    if ((!hasOwn(d, 'value') || !d.writable) && key !== 'prototype') {
      restrict(object);
      // Objects that inherit it refuse the write too, which only this tells.
      if (hasOwn(d, 'value')) {
        born[end++] = 3;
        n = 3;
      }
    }
    writeEffect(op, object, n, end);
  }

  function effect(op, object, ...values) {
    if (isTaken(object)) effectList(op, object, values);
  }

  function writeEffect(op, object, n, end) {
    ensure(end + 3);
    const at = cursor;
    words[at + 1] = numberOf(object);
    words[at + 2] = n;
    for (let k = 0; k < end; k++) words[at + 3 + k] = born[k];
    words[at] = (op << 12) | 0x4f;
    cursor = at + 3 + end;
  }

  function refill(object) {
    writeEffect(6, object, 0, 0);
    takeLook(object, numberOf(object));
  }

  function arrayMayHaveAccessors(object) {
    try {
      if (isArray(object)) arraysHaveAccessors = true;
      if (object === ObjectPrototype) holesAreSafe = false;
    } catch {
      // A revoked proxy.
    }
  }

  // What an object holds now, if it was ever recorded: for objects that foreign code had in its hands.
  function look(object) {
    if (isTaken(object)) takeLook(object, numberOf(object));
  }

  // ------------------------------------------------------------------------------------------------------------- rehearsal

  const NO_LIMIT = 1 << 30;
  // V8 notes what a function does only after some rounds, and ignores calls that are rarer than about one in seven when it
  // chooses what to put in place.
  const ROUNDS = 200;
  const endsChunk = (round) => round === ROUNDS / 2 || round === ROUNDS - 1;

  // V8 compiles a call that never happened as a way back to the interpreter. The end of a chunk comes when the helpers are
  // compiled into many functions of the program, all of which would be compiled anew. So it happens here once, for show, in
  // words of a free chunk, which nobody reads if the process is killed meanwhile.
  function rehearse() {
    const before = { cursor, limit };
    const start = words.length >> 1;
    cursor = start;
    const o = {};
    const acts = [
      () => E(0, 0),
      () => scope(0),
      () => any(0, 0),
      () => other(0, undefined),
      () => double(0, 0.5),
      () => d(0, 0.5),
      () => i(0, 0),
      () => l(0, true),
      () => B(0, o, 1, 0.5),
      () => C(0, o, 1, 0),
      () => P(0, o, 1, 0),
      () => F(0, o, 1, 0),
      () => ensure(0),
    ];
    isRehearsal = true;
    for (let round = 0; round < ROUNDS; round++) {
      for (let k = 0; k < acts.length; k++) {
        limit = endsChunk(round) ? -1 : NO_LIMIT;
        acts[k]();
      }
    }
    isRehearsal = false;
    for (let at = start; at < cursor; at++) words[at] = 0;
    ({ cursor, limit } = before);
    frames = 0;
  }

  // Where identity is a WeakMap nobody waits for speed.
  if (idSymbol !== undefined) rehearse();

  return {
    helpers: { E, S: scope, v, t, n, K, F, H, i, b, l, h, m, R, p, d, u, c, B, C, P, Q, W, D, G, o, y, z, A, k, j, e, a, r, L, J, U, N, M, O, V, X, Y, w, g: room, x: evalText, T: [], I: idSymbol, ...(options.isFiltered ? checked : undefined) },
    output,
    uncaught,
    message,
    seen,
    threadEnd,
    effect,
    look,
    cursor: () => cursor,
    knowRealm,
    // For builtins.js.
    isSparse,
    needsElements,
    isNeeded,
    holdsNeeded,
    meet: (o) => meet(0, o),
    isTaken,
    effect0,
    effect1,
    effect2,
    effectList,
    effectOwn,
    refill,
    restrict,
    arrayMayHaveAccessors,
  };
})
