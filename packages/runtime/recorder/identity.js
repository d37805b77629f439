// The number of an object is its stamp.
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
    if (addsByField && o[idSymbol] === undefined) addStamp(o, stamp);
    else o[idSymbol] = stamp;
  } catch {
    return false;
  }
  return o[idSymbol] === stamp;
}

const unstampable = new WeakMap();
let hasUnstampable = false;

// The number of an object into which a store would throw, and take as long as making the stack trace does; 0 for others. Asked only where
// such an object was met before: asking takes longer than stamping does.
function numberOfUnstampable(o) {
  return weakGet(unstampable, o) ?? (isProxy(o) ? newUnstampable(o) : 0);
}

// The number of an object that is used directly.
function use(o) {
  const stamp = stampOf(o);
  if (stamp > 0) return stamp;
  if (stamp < RESTRICTED) return RESTRICTED - stamp;
  if (hasUnstampable && stamp === undefined) {
    const number = numberOfUnstampable(o);
    if (number !== 0) return number;
  }
  const id = stamp === undefined ? objects + 1 : -stamp;
  if (!setStamp(o, id)) return useUnstampable(o);
  if (stamp === undefined) objects = id;
  takeLook(o, id);
  return id;
}

// As use, for an object without a number at a site: most were just made, and are empty.
function useFresh(S, o) {
  if (isRefused(S)) {
    const number = numberOfUnstampable(o);
    if (number !== 0) return number;
  }
  const id = objects + 1;
  const prototypeNumber = stampAskedAtSite(S, o, id);
  if (prototypeNumber === NOT_STAMPED) return use(o);
  objects = id;
  if (isEmptyInstance(o, prototypeNumber)) emptyInstanceLook(id, prototypeNumber);
  else if (isEmptyArray(o, prototypeNumber)) emptyLook(CLASS.ARRAY, id, arrayPrototypeNumber, 0, o.length);
  else takeLook(o, id);
  return id;
}

// The number of an object that is only mentioned: its contents are taken when it is used.
function mention(o) {
  const stamp = stampOf(o);
  if (stamp > 0) return stamp;
  if (stamp !== undefined) return numberOf(o);
  if (hasUnstampable) {
    const number = numberOfUnstampable(o);
    if (number !== 0) return number;
  }
  const id = objects + 1;
  if (!setStamp(o, -id)) return useUnstampable(o);
  objects = id;
  return id;
}

function useUnstampable(o) {
  return weakGet(unstampable, o) ?? newUnstampable(o);
}

function newUnstampable(o) {
  const id = ++objects;
  hasUnstampable = true;
  weakSet(unstampable, o, id);
  ensure(6);
  words[cursor + 1] = id;
  words[cursor + 2] = 0;
  words[cursor + 3] = 0;
  words[cursor + 4] = 0;
  words[cursor + 5] = 0;
  words[cursor] = (CLASS.PROXY << LAYOUT.ARGUMENT_SHIFT) | HEADER.LOOK;
  cursor += 6;
  return id;
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

// Of a numbered object: whether it is a proxy or like one, so that asking it anything could run user code.
const isUnstampable = (o) => stampOf(o) === undefined;
