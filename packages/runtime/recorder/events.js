// Helpers that write an event with at most one value.
function enter(S, p) {
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
function recordValue(S, x) {
  if (typeof x === 'number') writeNumber(S, x);
  else if (typeof x === 'boolean') recordTruth(S | TAG.TRUE, x);
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
      words[at] = S | TAG.INTEGER;
      cursor = at + 2;
    } else {
      doubles.put((at + 1) << 2, x, true);
      words[at] = S | TAG.DOUBLE;
      cursor = at + 3;
    }
  } else if (typeof x === 'boolean') {
    words[at] = x ? S | TAG.TRUE : S | TAG.FALSE;
    cursor = at + 1;
  } else if (x === undefined) {
    words[at] = S | TAG.UNDEFINED;
    cursor = at + 1;
  } else if (x === null) {
    words[at] = S | TAG.NULL;
    cursor = at + 1;
  } else if (typeof x === 'object') {
    const stamp = (idSymbol === undefined ? weakStamp(x) : x[idSymbol]) | 0;
    if (stamp > 0) {
      words[at + 1] = stamp;
      words[at] = S | TAG.OBJECT;
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
      words[at] = S | TAG.STRING;
      cursor = at + 2;
    } else other(S, x);
  } else if (typeof x === 'function') {
    const stamp = (idSymbol === undefined ? weakStamp(x) : x[idSymbol]) | 0;
    if (stamp > 0) {
      words[at + 1] = stamp;
      words[at] = S | TAG.OBJECT;
      cursor = at + 2;
    } else other(S, x);
  } else other(S, x);
}

function writeNumber(S, x) {
  const integer = x | 0;
  if (integer === x && (integer !== 0 || 1 / x > 0)) pair(S | TAG.INTEGER, integer);
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
  words[at] = S | TAG.DOUBLE;
  cursor = at + 3;
}

function other(S, x) {
  if (cursor > limit) nextChunk();
  if (x === undefined) words[cursor++] = S | TAG.UNDEFINED;
  else if (typeof x === 'boolean') words[cursor++] = S | (x ? TAG.TRUE : TAG.FALSE);
  else if (typeof x === 'string' && x.length <= SHORT) pair(S | TAG.STRING, shortNumber(x, x.length));
  else if (typeof x === 'function') pair(S | TAG.OBJECT, use(x));
  else if (typeof x === 'object' && x !== null) pair(S | TAG.OBJECT, stampOf(x) === undefined ? useFresh(S, x) : use(x));
  else {
    encode(x);
    writeEncoded(S);
  }
}

function writeEncoded(S) {
  const at = cursor;
  let end = at + 1;
  if (tag >= TAG.INTEGER && tag !== TAG.NOT_CAPTURED) words[end++] = low;
  if (tag === TAG.DOUBLE) words[end++] = high;
  words[at] = S | tag;
  cursor = end;
}

function writeEncodedWith(S, last) {
  const at = cursor;
  let end = at + 1;
  if (tag >= TAG.INTEGER && tag !== TAG.NOT_CAPTURED) words[end++] = low;
  if (tag === TAG.DOUBLE) words[end++] = high;
  words[end++] = last;
  words[at] = S | tag;
  cursor = end;
}

function recordReceiver(S, x, number) {
  if (number > 0) pair(S | TAG.OBJECT, number);
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
  if (classOf(x, prototype, prototypeNumber) === CLASS.INSTANCE && enumerableKeys(x).length === 0) {
    const at = cursor;
    words[at + 1] = id;
    words[at + 2] = prototypeNumber;
    words[at] = S | TAG.NEW_OBJECT;
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

function recordLoopValue(S, x) {
  if (cursor > limit) nextChunk();
  return recordValue(S, x);
}

// Of a truth. S has the tag of true; that of false is one less. V8 puts functions of up to 27 bytecodes in place everywhere: this
// has 25.
function recordTruth(S, x) {
  words[cursor++] = S - !x;
  return x;
}

function recordLoopTruth(S, x) {
  if (cursor > limit) nextChunk();
  words[cursor++] = S - !x;
  return x;
}

function recordPresence(S, x) {
  words[cursor++] = S | (x === null || x === undefined ? TAG.FALSE : TAG.TRUE);
  return x;
}

function recordMark(S) {
  words[cursor++] = S;
}

// A parameter.
function recordNumbered(S, x, number) {
  if (number > 0) pair(S | TAG.OBJECT, number);
  else if (typeof x === 'number') writeNumber(S, x);
  else any(S, x);
  return x;
}

// Arithmetic. Small, so that the engine inlines it at many places and keeps the number out of the heap.
function recordNumber(S, x) {
  if (typeof x !== 'number' || cursor > limit) return recordLoopValue(S, x);
  const at = cursor;
  doubles.put((at + 1) << 2, x, true);
  words[at] = S | TAG.DOUBLE;
  cursor = at + 3;
  return x;
}

// Counting and bits: mostly small integers.
function recordInteger(S, x) {
  if (typeof x !== 'number' || (x | 0) !== x || x === 0) return recordValue(S, x);
  const at = cursor;
  words[at + 1] = x;
  words[at] = S | TAG.INTEGER;
  cursor = at + 2;
  return x;
}

// A literal: the site knows it.
function recordLiteral(S, x) {
  words[cursor++] = S;
  return x;
}

// Checks the room: a loop may have nothing but a call for its condition.
function recordResult(S, mark, x) {
  if (cursor > limit) nextChunk();
  if (typeof x === 'number') writeNumber(S, x);
  else if (typeof x === 'boolean') recordTruth(S | TAG.TRUE, x);
  else any(S, x);
  return x;
}
