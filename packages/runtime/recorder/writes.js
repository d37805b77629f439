// Helpers for properties that are written.
function putNumber(S, o, number, x) {
  if (typeof x !== 'number' || number <= 0 || cursor > limit) return put(S, o, number, x);
  const at = cursor;
  doubles.put((at + 1) << 2, x, true);
  words[at + 3] = number;
  words[at] = S | TAG.DOUBLE;
  cursor = at + 4;
  return x;
}

function putLiteral(S, o, number, x) {
  if (cursor > limit) nextChunk();
  const base = number > 0 ? number : writtenNumber(S, o, NAMED);
  const at = cursor;
  words[at + 1] = base;
  words[at] = S;
  cursor = at + 2;
  return x;
}

// Property writes check the room too: generated code may hold tens of thousands of them in a row.
function put(S, o, number, x) {
  if (number > 0 && typeof x === 'number' && (x | 0) === x && x !== 0) triple(S | TAG.INTEGER, x, number);
  else anyWritten(S, o, number, x);
  return x;
}

// As put and putComputed, for a value that is still to be written.
function beforePut(S, o, number, x) {
  if (cursor > limit) nextChunk();
  if (number > 0) anyWith(S, x, number);
  else if (!refuses(o, NAMED, S)) anyWith(S, x, baseNumber(o));
  return x;
}

function beforePutComputed(S, o, number, x, key) {
  if (number > 0) atKey(S, number, x, key);
  else if (!refuses(o, key, S)) atKey(S, baseNumber(o), x, key);
  return x;
}

// As beforePutComputed, with a base and a key that readAgain found; undefined is what it did not find.
function beforePutReadAgain(S, o, key, x) {
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
  if (key === NAMED) key = siteNames(S >>> LAYOUT.SITE_SHIFT)[0];
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
function readAgain(o, key) {
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
  const known = assignmentKey(S >>> LAYOUT.SITE_SHIFT);
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
      words[at] = S | TAG.INTEGER;
      cursor = at + 3;
    } else {
      doubles.put((at + 1) << 2, x, true);
      words[at + 3] = last;
      words[at] = S | TAG.DOUBLE;
      cursor = at + 4;
    }
  } else if (typeof x === 'object' && x !== null) {
    const stamp = (idSymbol === undefined ? weakStamp(x) : x[idSymbol]) | 0;
    if (stamp > 0) {
      words[at + 1] = stamp;
      words[at + 2] = last;
      words[at] = S | TAG.OBJECT;
      cursor = at + 3;
    } else {
      if (isSparse && stamp === 0) meetFresh(S, x);
      valueWith(S, x, last);
    }
  } else if (typeof x === 'boolean') {
    words[at + 1] = last;
    words[at] = x ? S | TAG.TRUE : S | TAG.FALSE;
    cursor = at + 2;
  } else if (x === undefined) {
    words[at + 1] = last;
    words[at] = S | TAG.UNDEFINED;
    cursor = at + 2;
  } else if (x === null) {
    words[at + 1] = last;
    words[at] = S | TAG.NULL;
    cursor = at + 2;
  } else if (typeof x === 'string' && x.length <= SHORT) {
    const text = shortNumber(x, x.length);
    const end = cursor;
    words[end + 1] = text;
    words[end + 2] = last;
    words[end] = S | TAG.STRING;
    cursor = end + 3;
  } else valueWith(S, x, last);
}

function valueWith(S, x, last) {
  encode(x);
  ensure(4);
  writeEncodedWith(S, last);
}

// What a pattern wrote into a property. A proxy is not asked, and neither is a getter.
function putByPattern(S, o, key) {
  if (!isObject(o)) return;
  const base = use(o);
  const isAsked = !isObject(key) && stampOf(o) !== undefined;
  const d = isAsked ? getOwnPropertyDescriptor(o, key) : undefined;
  if (d !== undefined && hasOwn(d, 'value')) {
    putComputed(S, o, base, d.value, key);
    return;
  }
  if (isObject(key)) tag = TAG.NOT_CAPTURED;
  else encode(key);
  ensure(6);
  const at = cursor;
  let end = at + 1;
  // Asked, and no data of its own: a setter took the write, or it was refused.
  words[end++] = isAsked ? 0 : base;
  words[end++] = tag;
  if (tag >= TAG.INTEGER && tag !== TAG.NOT_CAPTURED) words[end++] = low;
  if (tag === TAG.DOUBLE) words[end++] = high;
  words[at] = S | TAG.NOT_CAPTURED;
  cursor = end;
}

// As put; not by a call of it, which V8 would have to inline as well.
function putValueFirst(S, x, o, number) {
  if (number > 0 && typeof x === 'number' && (x | 0) === x && x !== 0) triple(S | TAG.INTEGER, x, number);
  else anyWritten(S, o, number, x);
  return x;
}

function putComputedValueFirst(S, x, o, number, key) {
  return putComputed(S, o, number, x, key);
}

// The number of the value is given where it may be an object, and is 0 if it is none or has none.
function putComputed(S, o, number, x, key, valueNumber) {
  const base = number > 0 ? number : writtenNumber(S, o, key);
  if (typeof key === 'number' && (key | 0) === key && (key !== 0 || 1 / key > 0)) {
    if (valueNumber > 0) indexed(S | TAG.OBJECT, valueNumber, base, key);
    else atIndex(S, base, x, key);
  } else atKey(S, base, x, key);
  return x;
}

function indexed(header, payload, base, index) {
  const at = cursor;
  words[at + 1] = payload;
  words[at + 2] = base;
  words[at + 3] = TAG.INTEGER;
  words[at + 4] = index;
  words[at] = header;
  cursor = at + 5;
}

function atIndex(S, base, x, index) {
  if (typeof x === 'number') {
    const integer = x | 0;
    if (integer === x && (integer !== 0 || 1 / x > 0)) {
      ensure(5);
      indexed(S | TAG.INTEGER, integer, base, index);
      return;
    }
  } else if (typeof x === 'object' && x !== null) {
    const stamp = (idSymbol === undefined ? weakStamp(x) : x[idSymbol]) | 0;
    if (stamp > 0) {
      indexed(S | TAG.OBJECT, stamp, base, index);
      return;
    }
  }
  encode(x);
  ensure(6);
  const at = cursor;
  let end = at + 1;
  if (tag >= TAG.INTEGER && tag !== TAG.NOT_CAPTURED) words[end++] = low;
  if (tag === TAG.DOUBLE) words[end++] = high;
  words[end] = base;
  words[end + 1] = TAG.INTEGER;
  words[end + 2] = index;
  words[at] = S | tag;
  cursor = end + 3;
}

function atKey(S, base, x, key) {
  if (isObject(key)) tag = TAG.NOT_CAPTURED;
  else encode(key);
  const keyTag = tag;
  const keyLow = low;
  const keyHigh = high;
  encode(x);
  ensure(8);
  const at = cursor;
  let end = at + 1;
  if (tag >= TAG.INTEGER && tag !== TAG.NOT_CAPTURED) words[end++] = low;
  if (tag === TAG.DOUBLE) words[end++] = high;
  words[end++] = base;
  words[end++] = keyTag;
  if (keyTag >= TAG.INTEGER && keyTag !== TAG.NOT_CAPTURED) words[end++] = keyLow;
  if (keyTag === TAG.DOUBLE) words[end++] = keyHigh;
  words[at] = S | tag;
  cursor = end;
}

// As put, for a value that is known by its number if it has one, and 0 if not.
function putNumbered(S, o, number, x, valueNumber) {
  if (valueNumber > 0 && number > 0) triple(S | TAG.OBJECT, valueNumber, number);
  else if (x === undefined && number > 0) pairWith(S | TAG.UNDEFINED, number);
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
  if (number <= 0 && mayBeFilled(S, o)) lookAgain(o);
}

// Whether a field of an array was defined: a built-in (`of`, `map`, …) may be making it, and put the elements in afterwards.
function mayBeFilled(S, o) {
  return isObject(o) && stampOf(o) > 0 && (isArray(o) || isView(o)) && isAssignment !== undefined && !isAssignment(S >>> LAYOUT.SITE_SHIFT);
}

function doubleWith(header, x, last) {
  if (cursor > limit) nextChunk();
  const at = cursor;
  doubles.put((at + 1) << 2, x, true);
  words[at + 3] = last;
  words[at] = header;
  cursor = at + 4;
}
