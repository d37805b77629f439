// Helpers for runs that record only what questions need.
// The number of an object that is about to be written to. It may never have been met: then it is looked at before that. What it
// has for a number is 0 if it has none. Where it may refuse the write, this is no number: who records the write asks again.
function meetWritten(S, o, number) {
  return number > 0 ? number : meetUnnumbered(S, o, number);
}

function meetUnnumbered(S, o, number) {
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
function meetNewborn(S, o, constructor) {
  const slot = (S >>> LAYOUT.SITE_SHIFT) & (STAMPERS - 1);
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
    newbornStampers[(S >>> LAYOUT.SITE_SHIFT) & (STAMPERS - 1)] = TheFunction('id', 'f', 'p', `${text}${NAMED_OURS}`)(idSymbol, stampOf(constructor), prototypeNumber);
  } catch {
    // Code generation is off.
  }
}

// Of an object that was met by the write that has just been made: whether it did not take it.
function isRefusing(S, o, key) {
  if (stampOf(o) === undefined) return false;
  if (key === NAMED) key = assignmentKey(S >>> LAYOUT.SITE_SHIFT);
  if (key === undefined || isObject(key) || hasOwn(o, key) || isExtensible(o)) return false;
  restrict(o);
  return true;
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
function meetForKey(o, key) {
  if (typeof key !== 'number' || needsElements) aboutToWrite(o, key);
  return key;
}

function aboutToWrite(o, key) {
  if (isNeeded(key)) meet(0, o);
}

// As putComputed, putComputedValueFirst and putByPattern, if the key turns out to be needed.
function putIfNeeded(S, o, x, key) {
  if (typeof key !== 'number' || needsElements) written(S, o, x, key);
  return x;
}

function putValueFirstIfNeeded(S, x, o, key) {
  if (typeof key !== 'number' || needsElements) written(S, o, x, key);
  return x;
}

function putByPatternIfNeeded(S, o, key) {
  if (isNeeded(key)) checked[HELPER.PUT_BY_PATTERN](S, o, key);
}

function written(S, o, x, key) {
  if (isNeeded(key)) checked[HELPER.PUT_COMPUTED](S, o, 0, x, key);
}
